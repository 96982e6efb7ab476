// What a person has listened to: totals and recent plays.
import { useState } from 'react'
import type { Person, PersonPlay } from '#contract/admin/admin-people.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatDuration, formatTotal } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { initialPlayCount, usePersonPlays } from '../people/person-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

const maxShown = 200

export function PersonPlays({ person }: { person: Person }) {
  const [limit, setLimit] = useState(initialPlayCount)
  const plays = usePersonPlays(person.id, limit)
  const stats = [
    ['Plays', person.play_count.toLocaleString('en')],
    ['Last 30 days', person.play_count_30d.toLocaleString('en')],
    ['Heard', formatTotal(person.heard_seconds)],
    ['Likes', person.like_count.toLocaleString('en')],
    ['Playlists', person.playlist_count.toLocaleString('en')],
  ] as const
  return (
    <PersonCard title="Listening" query={plays}>
      {({ data }) => (
        <>
          <dl className={styles.stats}>
            {stats.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {data.length === 0 && <p className={textStyles.soft}>No plays yet.</p>}
          <ul className={styles.list}>
            {data.map((play) => (
              <PlayRow key={play.id} play={play} />
            ))}
          </ul>
          {data.length === limit && limit < maxShown && (
            <div className={styles.buttons}>
              <Button
                size="small"
                variant="quiet"
                busy={plays.isPlaceholderData}
                onClick={() => setLimit(limit === initialPlayCount ? 50 : maxShown)}
              >
                Show More
              </Button>
            </div>
          )}
        </>
      )}
    </PersonCard>
  )
}

function PlayRow({ play }: { play: PersonPlay }) {
  return (
    <li className={styles.row}>
      <span className={styles.cover}>
        <Cover
          url={play.cover_url}
          tint={play.cover_tint}
          placeholder={play.cover_placeholder}
          title={play.title}
          sizes="36px"
        />
      </span>
      <span className={layout.grow}>
        <ScreenLink className={styles.cut} to={`/admin/library?edit=${play.track_id}`} dir="auto">
          {play.title}
        </ScreenLink>
        <span className={`${styles.cut} ${styles.soft}`}>
          <bdi>{play.artist}</bdi>
          {play.is_preview && ', preview'}
          {!play.is_counted && ', not counted'}
        </span>
      </span>
      <span className={`${styles.aside} ${styles.soft}`}>
        <time dateTime={play.started_at}>{formatShortMoment(play.started_at)}</time>
        <span>{formatDuration(play.heard_seconds)} heard</span>
      </span>
    </li>
  )
}
