// A value to type in another app, with a Copy button.
import { IconCopy } from '#web/base/ui/icons/icons.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { showError } from '../../base/api/show-error.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './keys.module.css'

export function CopiedFact({ name, value }: { name: string; value: string }) {
  async function copy() {
    try {
      await copyText(value)
      showToast({ tone: 'success', title: `${name} copied` })
    } catch (error) {
      showError(error, 'It could not be copied. Please select and copy it yourself.')
    }
  }
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={styles.value}>
        <code>{value}</code>
        <IconButton label={`Copy ${name.toLowerCase()}`} onClick={() => void copy()}>
          <IconCopy />
        </IconButton>
      </dd>
    </div>
  )
}
