// Facts below the tracks of a release: description, date, label and UPC.
import type { ReleaseDetail } from '#contract/releases.ts'
import styles from './release-facts.module.css'

const fullDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

export function ReleaseFacts({ release }: { release: ReleaseDetail }) {
  const { description, release_date, label, upc } = release
  if (!description && !release_date && !label && !upc) return null
  return (
    <section className={styles.facts} aria-label={`About ${release.title}`}>
      {description && <p className={styles.description}>{description}</p>}
      <dl className={styles.list}>
        {release_date && <Fact name="Released" value={fullDay.format(new Date(release_date))} />}
        {label && <Fact name="Label" value={label} />}
        {upc && <Fact name="UPC" value={upc} />}
      </dl>
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
