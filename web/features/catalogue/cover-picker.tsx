// A cover that acts as a button: it opens the file picker, previews the chosen picture immediately, and shows the
// upload's progress.
import { IconPhotoUp } from '#web/base/ui/icons/icons.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { showError } from '../../base/api/show-error.ts'
import { uploadFile } from '../../base/upload/upload-file.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import styles from './cover-picker.module.css'

export interface CoverPickerProps {
  /** The button's label: 'Change cover'. */
  label: string
  /** The playlist's title, from which a cover is drawn while there is no picture. */
  title: string
  /** Shown until a picture is chosen. Defaults to a cover drawn from the title. */
  children?: ReactNode
  onUploading?: (uploading: boolean) => void
  /** Called with the path of the finished upload. */
  onUploaded: (path: string) => void
}

export function CoverPicker({ label, title, children, onUploading, onUploaded }: CoverPickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const [preview, setPreview] = usePreview()
  const current = useRef<AbortController>(undefined)
  // Abort the upload when the user leaves the screen.
  useEffect(() => () => current.current?.abort(), [])

  async function upload(file: File) {
    current.current?.abort()
    const { signal } = (current.current = new AbortController())
    setPreview(file)
    setShare(0)
    onUploading?.(true)
    try {
      const filename = `playlist-${Date.now()}-${file.name}`
      onUploaded(
        await uploadFile(file, { bucket: 'covers', filename, onProgress: setShare, signal }),
      )
    } catch (error) {
      if (signal.aborted) return
      setPreview(undefined)
      showError(error, undefined, 'Upload failed')
    }
    setShare(undefined)
    onUploading?.(false)
  }

  return (
    <div className={styles.picker}>
      {preview ? <Cover url={preview} title={title} sizes="240px" radius="large" /> : null}
      {!preview && (children ?? <Cover url={null} title={title} sizes="240px" radius="large" />)}
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        <IconPhotoUp aria-hidden="true" />
        <span className={styles.words} aria-hidden="true">
          {label}
        </span>
      </button>
      {share !== undefined && (
        <span className={styles.progress}>
          <ProgressBar label="Uploading cover" value={share} />
        </span>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void upload(file)
        }}
      />
    </div>
  )
}

/** Returns the object URL of a picture that is not uploaded yet, and a function that sets the picture. */
function usePreview(): [string | undefined, (file: File | undefined) => void] {
  const [url, setUrl] = useState<string>()
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url)
    },
    [url],
  )
  return [url, (file) => setUrl(file && URL.createObjectURL(file))]
}
