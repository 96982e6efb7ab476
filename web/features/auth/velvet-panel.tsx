// The picture beside the forms: a curtain of sound bars in the brand's colors.
import { useSite } from '../../base/session/site.ts'
import { seededRandom } from '../../base/ui/layout/seeded-random.ts'
import styles from './velvet-panel.module.css'

const random = seededRandom('Velour')
const folds = Array.from({ length: 13 }, (_, fold) => {
  const center = 1 - Math.abs(fold - 6) / 6
  return Math.round(22 + center ** 1.3 * 38 + random() * 10)
})

export function VelvetPanel() {
  const { tagline } = useSite()
  return (
    <aside className={styles.panel} aria-label="About">
      <div className={styles.folds} aria-hidden="true">
        {folds.map((percent, fold) => (
          <span key={fold} style={{ height: `${percent}%` }} />
        ))}
      </div>
      <p className={styles.tagline}>{tagline}</p>
    </aside>
  )
}
