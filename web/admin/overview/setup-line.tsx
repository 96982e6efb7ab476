// A notice on the landing page that links the owner of a new service to the setup. It overlays the page, so nothing
// shifts when it appears.
import { IconX } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { stepsLeft, useOverview } from './overview-queries.ts'
import styles from './setup-line.module.css'

export function SetupLine() {
  const { data } = useOverview()
  const [isDismissed, setIsDismissed] = useState(false)
  const left = data && !data.setup.is_hidden ? stepsLeft(data.setup) : 0
  if (left === 0 || isDismissed) return null
  return (
    <aside className={styles.line} aria-label="Set-up">
      <p>
        {left === 1 ? 'One step' : `${left} steps`} left to set up your service.{' '}
        <ScreenLink to="/admin">Open the overview</ScreenLink>
      </p>
      <IconButton size="small" label="Not now" onClick={() => setIsDismissed(true)}>
        <IconX />
      </IconButton>
    </aside>
  )
}
