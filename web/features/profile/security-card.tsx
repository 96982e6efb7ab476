// Security & Privacy: two-factor authentication, sessions, and the member's data.
import type { Profile } from '#contract/profiles.ts'
import { Card } from '../../base/ui/display/card.tsx'
import { MyData } from './my-data.tsx'
import styles from './security-card.module.css'
import { SessionList } from './session-list.tsx'
import { TwoFactorSetting } from './two-factor-setting.tsx'

export function SecurityCard({ profile }: { profile: Profile }) {
  return (
    <Card title="Security & Privacy">
      <div className={styles.parts}>
        <TwoFactorSetting profile={profile} />
        <SessionList />
        <MyData />
      </div>
    </Card>
  )
}
