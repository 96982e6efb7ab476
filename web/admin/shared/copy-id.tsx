// An id, shortened as specified. A click copies the full id.
import { IconCopy } from '#web/base/ui/icons/icons.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './copy-id.module.css'

/** The tooltip shows the full id, because ids created within a minute start with the same characters. */
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

/** The first 8 characters. Shorter ids are returned unchanged. */
function shortId(id: string): string {
  return id.length > 8 ? `${id.slice(0, 8)}...` : id
}
