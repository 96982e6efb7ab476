// Uploads a zip archive that is chosen or dropped on the card.
import { IconFileZip, IconX } from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { importTrackList, listName } from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { cancelArchive, sendArchive, useArchiveUpload } from './archive-upload.ts'
import styles from './imports-screen.module.css'

const listMaxLength = 700_000

export function ArchiveChooser() {
  const { name, share, problem } = useArchiveUpload()
  const queryClient = useQueryClient()
  const sendList = useAdminMutation({
    run: async (file: File) => {
      const body = { filename: file.name, text: (await file.text()).slice(0, listMaxLength) }
      return call(importTrackList, { body })
    },
    refresh: ['playlists'],
    done: ({ title, found, total }) => `“${title}”: ${found} of ${total} tracks found`,
    failed: 'Failed to import the list',
  })
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  async function take(file: File | undefined) {
    if (!file) return
    if (listName.test(file.name)) sendList.mutate(file)
    else if (await sendArchive(file)) {
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
        title="Bring everything in"
        description="Songs saved from Suno, Udio or Bandcamp, with the texts and covers beside them, become drafts. A CSV with a column of files names and sorts them. An export of another Velour comes back exactly as it was. Zip files of up to 50 GB. A list (M3U, XSPF, CSV) becomes a playlist of songs that are here."
      >
        <input
          ref={field}
          className={styles.field}
          type="file"
          accept=".zip,application/zip,.m3u,.m3u8,.xspf,.csv"
          aria-label="File to import"
          tabIndex={-1}
          onChange={({ target }) => {
            const file = target.files?.[0]
            target.value = ''
            void take(file)
          }}
        />
        {name === null ? (
          <div className={styles.actions}>
            <Button variant="primary" icon={<IconFileZip />} onClick={() => field.current?.click()}>
              Choose a file
            </Button>
            <span className={styles.note}>or drop it here</span>
          </div>
        ) : (
          <Sending name={name} share={share} />
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

function Sending({ name, share }: { name: string; share: number }) {
  return (
    <div className={styles.sending}>
      <p className={styles.note} role="status">
        Sending {name} · {Math.round(share * 100)} %
      </p>
      <ProgressBar label={`Upload of ${name}`} value={share} />
      <Button size="small" icon={<IconX />} onClick={cancelArchive}>
        Cancel
      </Button>
    </div>
  )
}
