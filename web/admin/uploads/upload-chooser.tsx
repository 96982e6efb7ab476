// Buttons to select files, or a folder with all its files.
import { IconFiles, IconFolder } from '#web/base/ui/icons/icons.ts'
import { useRef, type ChangeEvent } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { collectChosen } from './queue/collect-files.ts'
import styles from './uploads-screen.module.css'
import { useAddUploads } from './upload-drop-zone.tsx'

export function UploadChooser({ isMain = false }: { isMain?: boolean }) {
  const addFiles = useAddUploads()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(target.files ?? [])]
    target.value = ''
    if (chosen.length > 0) void addFiles(collectChosen(chosen))
  }
  return (
    <span className={styles.chooser}>
      <input
        ref={files}
        className={styles.field}
        type="file"
        aria-label="Files to upload"
        tabIndex={-1}
        multiple
        onChange={choose}
      />
      <input
        ref={(element) => {
          folder.current = element
          element?.setAttribute('webkitdirectory', '')
        }}
        className={styles.field}
        type="file"
        aria-label="Folder to upload"
        tabIndex={-1}
        multiple
        onChange={choose}
      />
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        icon={<IconFiles />}
        onClick={() => files.current?.click()}
      >
        Choose Files
      </Button>
      <Button icon={<IconFolder />} onClick={() => folder.current?.click()}>
        Choose Folder
      </Button>
    </span>
  )
}
