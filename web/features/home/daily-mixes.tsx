// The member's daily mixes. Members without Premium see a description of the mixes instead.
import type { Mix } from '#contract/radio.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { playMix } from '../catalogue/play-radio.ts'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import styles from './daily-mixes.module.css'
import { TileContent, tileClass } from './home-tile.tsx'

export function MixOffer() {
  return (
    <p className={styles.offer}>
      Premium includes daily mixes based on the music you like.{' '}
      <ScreenLink to="/subscribe" className={styles.link}>
        See plans
      </ScreenLink>
    </p>
  )
}

export function MixTile({ mix }: { mix: Mix }) {
  const { position, title, description, track_count, mosaic } = mix
  const cover = { title, mosaic, cover_url: null, cover_tint: null, cover_placeholder: null }
  return (
    <button type="button" className={tileClass} onClick={() => void playMix(position)}>
      <TileContent
        picture={<PlaylistCover playlist={cover} sizes="56px" />}
        verb="Play"
        title={title}
        about={`${formatCount(track_count, 'track', 'tracks')} · ${description}`}
      />
    </button>
  )
}
