// An id in the short form that the specification requires. A click copies the full id.
import { IconCopy } from '#web/base/ui/icons/icons.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './copy-id.module.css'

/** The tooltip has the full id: ids that are created within a minute of each other start with the same characters. */
export function CopyId({ id, whole = false }: { id: string; whole?: boolean }) {
  async function copy() {
    try {
      await copyText(id)
      showToast({ tone: 'success', title: 'ID copied', message: id })
    } catch {
      showToast({ tone: 'destructive', title: 'Failed to copy the ID', message: id })
    }
  }
  return (
    <button
      type="button"
      className={styles.id}
      aria-label={`Copy ID ${id}`}
      data-tooltip={`Copy ${id}`}
      onClick={() => void copy()}
    >
      <span>{whole ? id : shortId(id)}</span>
      <IconCopy aria-hidden="true" />
    </button>
  )
}

/** Returns the first 8 characters and '...', or the id itself if it isn't longer. */
function shortId(id: string): string {
  return id.length > 8 ? `${id.slice(0, 8)}...` : id
}
