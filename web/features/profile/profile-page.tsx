// Account Settings: account, subscription and security.
import { useSession } from '../../base/session/session.ts'
import { DevicesCard } from '../keys/devices-card.tsx'
import { TokensCard } from '../keys/tokens-card.tsx'
import { NewsCard } from '../news/news-card.tsx'
import { OfflineMusicCard } from '../offline/offline-music-card.tsx'
import { ReferralCard } from '../referral/referral-card.tsx'
import { HelpCard } from '../support/help-card.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ColorSchemeSwitch } from '../../base/ui/theme/color-scheme-switch.tsx'
import { AccountCard } from './account-card.tsx'
import { BillsCard } from './bills-card.tsx'
import { DangerCard } from './danger-card.tsx'
import styles from './profile-page.module.css'
import { SecurityCard } from './security-card.tsx'
import { SubscriptionCard } from './subscription-card.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function ProfilePage() {
  const { user } = useSession()
  if (!user) return null
  const { display_name, email } = user
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>Account Settings</h1>
        <p className={styles.who}>{display_name || email}</p>
      </header>
      <AccountCard profile={user} />
      <SubscriptionCard profile={user} />
      <BillsCard />
      <OfflineMusicCard profile={user} />
      <NewsCard />
      <SecurityCard profile={user} />
      <DevicesCard />
      <TokensCard role={user.role} />
      <Card title="Appearance">
        <div className={layout.spreadWrap}>
          <p className={textStyles.soft}>Dark, light, or the same as your system.</p>
          <ColorSchemeSwitch />
        </div>
      </Card>
      <ReferralCard />
      <HelpCard />
      <DangerCard />
    </div>
  )
}
