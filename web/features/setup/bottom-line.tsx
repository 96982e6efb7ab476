// A line that overlays the bottom of the page, so nothing shifts when it appears. It can be dismissed.
import { IconX } from '#web/base/ui/icons/icons.ts'
import { useState, type ReactNode } from 'react'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import styles from './bottom-line.module.css'

export function BottomLine({ label, children }: { label: string; children: ReactNode }) {
  const [isDismissed, setIsDismissed] = useState(false)
  if (isDismissed) return null
  return (
    <aside className={styles.line} aria-label={label}>
      <p>{children}</p>
      <IconButton size="small" label="Not now" onClick={() => setIsDismissed(true)}>
        <IconX />
      </IconButton>
    </aside>
  )
}
