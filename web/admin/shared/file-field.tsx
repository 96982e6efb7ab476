// Form field to select or drop one file. Shows the progress of its upload.
import { IconUpload, IconX } from '#web/base/ui/icons/icons.ts'
import { useState, type DragEvent, type ReactNode, type Ref } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { Field } from '../../base/ui/controls/field.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import styles from './file-field.module.css'
import type { Upload } from './use-upload.ts'

export interface FileFieldProps {
  label: string
  /** Accepted MIME types: 'audio/*' or 'image/*'. */
  accept: string
  upload: Upload
  hint?: ReactNode
  error?: string | undefined
  /** Rendered to the left of the text, for example the current cover. */
  picture?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function FileField({ label, accept, upload, hint, error, picture, ref }: FileFieldProps) {
  const [isOver, setIsOver] = useState(false)
  const { state, choose, clear } = upload

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file) choose(file)
  }

  return (
    <Field {...{ label, hint, error }}>
      {(field) => (
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
          {picture}
          <div className={styles.words}>
            {state.status === 'idle' ? (
              <span className={styles.invitation} aria-hidden="true">
                <IconUpload /> Choose a file or drop it here
              </span>
            ) : (
              <>
                <span className={styles.name}>{state.name}</span>
                <span className={styles.status}>{describeStatus(upload)}</span>
                {state.status === 'uploading' && (
                  <ProgressBar label={`Uploading ${state.name}`} value={state.share} />
                )}
              </>
            )}
          </div>
          <input
            {...field}
            ref={ref}
            className={styles.input}
            type="file"
            accept={accept}
            onChange={(event) => {
              const file = event.target.files?.[0]
              event.target.value = ''
              if (file) choose(file)
            }}
          />
          {state.status !== 'idle' && (
            <span className={styles.aside}>
              {state.status === 'failed' && state.retry && (
                <Button size="small" onClick={state.retry}>
                  Retry
                </Button>
              )}
              <IconButton label={`Remove ${state.name}`} onClick={clear}>
                <IconX />
              </IconButton>
            </span>
          )}
        </div>
      )}
    </Field>
  )
}

function describeStatus({ state }: Upload): string {
  if (state.status === 'uploading') return `Uploading, ${Math.round(state.share * 100)} %`
  if (state.status === 'failed') return state.reason
  return 'Uploaded'
}
