// Sends a zip archive, chosen or dropped on the card.
import { IconFileZip, IconX } from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { cancelArchive, sendArchive, useArchiveUpload } from './archive-upload.ts'
import styles from './imports-screen.module.css'

export function ArchiveChooser() {
  const { name, share, problem } = useArchiveUpload()
  const queryClient = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  async function take(file: File | undefined) {
    if (file && (await sendArchive(file))) {
      await queryClient.invalidateQueries({ queryKey: ['admin', 'imports'] })
    }
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Card
        title="Import a zip file"
        description="Songs saved from Suno, Udio or Bandcamp, with the texts and covers beside them, become drafts. An export of another Velour comes back exactly as it was. Up to 50 GB."
      >
        <input
          ref={field}
          className={styles.field}
          type="file"
          accept=".zip,application/zip"
          aria-label="Zip file to import"
          tabIndex={-1}
          onChange={({ target }) => {
            const file = target.files?.[0]
            target.value = ''
            void take(file)
          }}
        />
        {name === null ? (
          <div className={styles.acts}>
            <Button variant="primary" icon={<IconFileZip />} onClick={() => field.current?.click()}>
              Choose a zip file
            </Button>
            <span className={styles.note}>or drop it here</span>
          </div>
        ) : (
          <div className={styles.sending}>
            <p className={styles.note} role="status">
              Sending {name} · {Math.round(share * 100)} %
            </p>
            <ProgressBar label={`Upload of ${name}`} value={share} />
            <Button size="small" icon={<IconX />} onClick={cancelArchive}>
              Cancel
            </Button>
          </div>
        )}
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </Card>
    </div>
  )
}
