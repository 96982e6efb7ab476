// A message in place of the setup form.
import type { ReactNode } from 'react'
import { signInPath } from '#contract/return-path.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import formStyles from '../auth/auth-form.module.css'
import styles from './setup-notice.module.css'

export function SetupNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={layout.stack5}>
      <div>
        <h1 className={formStyles.title}>{title}</h1>
        <div className={styles.text}>{children}</div>
      </div>
      <p className={formStyles.footer}>
        <ScreenLink to={signInPath} className={formStyles.link}>
          Go to Sign In
        </ScreenLink>
      </p>
    </div>
  )
}
