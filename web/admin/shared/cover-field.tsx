// Form field for the cover of a track, category or playlist. Shows the saved or the new cover, and can remove it.
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { FileField } from './file-field.tsx'
import styles from './cover-field.module.css'
import type { Upload } from './use-upload.ts'

export interface CoverFieldProps {
  upload: Upload
  /** The saved cover. */
  current: { cover_url: string | null; cover_tint: string | null; cover_placeholder: string | null }
  /** The title of the item. The placeholder for a missing cover is generated from it. */
  title: string
  /** Shown if there is no cover. */
  hint?: string
  /** True if saving removes the cover. */
  removed: boolean
  onRemovedChange: (removed: boolean) => void
}

export const noCover = { cover_url: null, cover_tint: null, cover_placeholder: null }

export function CoverField(props: CoverFieldProps) {
  const { upload, current, title, removed, onRemovedChange } = props
  const { hint = 'If empty, a cover is generated from the title.' } = props
  const hasFile = upload.state.status !== 'idle'
  const picked = upload.previewUrl
  const hasCover = current.cover_url !== null && !removed
  return (
    <div className={styles.field}>
      <FileField
        label="Cover"
        accept="image/*"
        upload={upload}
        picture={
          <span className={styles.cover}>
            <Cover
              url={picked ?? (removed ? null : current.cover_url)}
              tint={picked || removed ? null : current.cover_tint}
              placeholder={picked || removed ? null : current.cover_placeholder}
              title={title || 'Untitled'}
              sizes="56px"
            />
          </span>
        }
        hint={hasCover || hasFile ? undefined : hint}
      />
      {hasCover && !hasFile && (
        <Button size="small" variant="quiet" onClick={() => onRemovedChange(true)}>
          Remove cover
        </Button>
      )}
      {removed && !hasFile && (
        <Button size="small" variant="quiet" onClick={() => onRemovedChange(false)}>
          Keep the current cover
        </Button>
      )}
    </div>
  )
}

/** Returns `cover_path` for the request: a new path, null to remove the cover, or undefined to keep it. */
export async function coverPath(
  upload: Upload,
  removed: boolean,
): Promise<string | null | undefined> {
  return (await upload.finish()) ?? (removed ? null : undefined)
}
