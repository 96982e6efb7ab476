// Field for the service's logo or icon: shows the saved or newly chosen image, and can reset it to the default.
import { FileField } from '../shared/file-field.tsx'
import type { EmblemFile } from './use-emblems.ts'
import styles from './branding.module.css'
import { DefaultButton } from './default-button.tsx'

export interface EmblemFieldProps {
  label: string
  hint: string
  file: EmblemFile
  /** URL of the saved image. */
  current: string | null
}

export function EmblemField({ label, hint, file, current }: EmblemFieldProps) {
  const { upload, isRemoved, setIsRemoved } = file
  const url = file.shownUrl(current)
  return (
    <div className={styles.emblem}>
      <FileField
        label={label}
        accept="image/png,image/jpeg,image/webp"
        upload={upload}
        hint={hint}
        picture={
          url && (
            <span className={styles.emblemPicture}>
              <img src={url} alt={`The ${label.toLowerCase()}`} />
            </span>
          )
        }
      />
      <DefaultButton
        of={label}
        isShown={current !== null && !isRemoved && upload.state.status === 'idle'}
        onClick={() => setIsRemoved(true)}
      />
      {isRemoved && upload.state.status === 'idle' && (
        <button type="button" className={styles.default} onClick={() => setIsRemoved(false)}>
          Keep the current {label.toLowerCase()}
        </button>
      )}
    </div>
  )
}
