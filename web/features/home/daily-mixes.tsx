// The member's mixes of the day. Without Premium: what they would be.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Mix } from '#contract/radio.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { Shelf } from '../../base/ui/lists/shelf.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { playMix } from '../catalogue/play-radio.ts'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { mixesQuery } from '../catalogue/queries/radio-queries.ts'
import styles from './daily-mixes.module.css'

export function DailyMixes({ isPremium }: { isPremium: boolean }) {
  return isPremium ? <MixShelf /> : <MixOffer />
}

function MixOffer() {
  return (
    <p className={styles.offer}>
      Daily mixes, made each day of what you like, come with Premium.{' '}
      <ScreenLink to="/subscribe" className={styles.link}>
        See plans
      </ScreenLink>
    </p>
  )
}

/** Hidden without likes and plays. A failed load is no reason for a notice: the list below has what to play. */
function MixShelf() {
  const { data: mixes = [] } = useQuery(mixesQuery)
  // Appears only with the next visit: it must not shift the list under the pointer.
  const [beganEmpty] = useState(mixes.length === 0)
  if (beganEmpty || mixes.length === 0) return null
  return (
    <Shelf title="Made for you" size="tile">
      {mixes.map((mix) => (
        <li key={mix.position}>
          <MixButton mix={mix} />
        </li>
      ))}
    </Shelf>
  )
}

function MixButton({ mix }: { mix: Mix }) {
  const { position, title, description, track_count, mosaic } = mix
  const cover = { title, mosaic, cover_url: null, cover_tint: null, cover_placeholder: null }
  return (
    <button type="button" className={styles.mix} onClick={() => void playMix(position)}>
      <span className={styles.cover}>
        <PlaylistCover playlist={cover} sizes="56px" />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          <VisuallyHidden>Play </VisuallyHidden>
          {title}
        </span>
        <span className={styles.about}>
          {formatCount(track_count, 'track', 'tracks')} · {description}
        </span>
      </span>
    </button>
  )
}
