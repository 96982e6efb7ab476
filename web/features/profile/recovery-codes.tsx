// The recovery codes, to copy, save as a file or write down. They are shown only once.
import { IconCopy, IconDownload } from '#web/base/ui/icons/icons.ts'
import { useEffect, useRef } from 'react'
import { copyText } from '../../base/browser/copy-text.ts'
import { saveFile } from '../../base/browser/save-file.ts'
import { showError } from '../../base/api/show-error.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './recovery-codes.module.css'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { brand_name } = useSite()
  const copyButton = useRef<HTMLButtonElement>(null)
  const fileName = `${brand_name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-recovery-codes.txt`
  const text = `${codes.join('\n')}\n`

  // Move the focus here: the button that had the focus is no longer mounted.
  useEffect(() => copyButton.current?.focus(), [])

  async function copy() {
    try {
      await copyText(text)
      showToast({ tone: 'success', title: 'Recovery codes copied' })
    } catch (error) {
      showError(error, 'The codes could not be copied. Please write them down.')
    }
  }

  return (
    <div className={styles.recovery}>
      <p className={textStyles.soft}>
        Each code signs you in once when you do not have your authenticator app. They are shown only
        once: store them where you store your passwords.
      </p>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={layout.cluster3}>
        <Button ref={copyButton} size="small" icon={<IconCopy />} onClick={() => void copy()}>
          Copy Codes
        </Button>
        <Button
          size="small"
          icon={<IconDownload />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), fileName)}
        >
          Download Codes
        </Button>
      </div>
    </div>
  )
}
