// Shows the limits of the free plan before the user reaches them.
import { errors } from '#contract/errors.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import styles from './upgrade-card.module.css'

export function UpgradeCard() {
  return (
    <aside className={styles.card} aria-label="Premium">
      <div>
        <h2 className={styles.title}>🔒 Upgrade to Premium</h2>
        <p className={styles.message}>{errors.playlist_limit_reached[1]}</p>
      </div>
      <ButtonLink to="/subscribe" variant="primary">
        Upgrade Now
      </ButtonLink>
    </aside>
  )
}
