// Shown to free members once they have reached the plan's limit of playlists.
import { sharedErrorTexts } from '#contract/shown-texts.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import styles from './upgrade-card.module.css'

export function UpgradeCard() {
  return (
    <aside className={styles.card} aria-label="Premium">
      <div>
        <h2 className={styles.title}>🔒 Upgrade to Premium</h2>
        <p className={styles.message}>{sharedErrorTexts.playlist_limit_reached}</p>
      </div>
      <ButtonLink to="/subscribe" variant="primary">
        Upgrade Now
      </ButtonLink>
    </aside>
  )
}
