// Cover, title and artist of the current track.
import type { ReactNode } from 'react'
import { ArtistLinks } from '../../catalogue/artist-links.tsx'
import { Cover } from '../../../base/ui/display/cover.tsx'
import { PremiumMark } from '../../catalogue/premium-mark.tsx'
import styles from './now-playing.module.css'
import type { PlayerTrack } from '../queue/player-track.ts'
import layout from '../../../base/ui/layout/layout.module.css'

export function NowPlaying({
  track,
  onOpen,
  aside,
}: {
  track: PlayerTrack
  /** Opens the full player. */
  onOpen: () => void
  /** Content beside the title: the like button. */
  aside?: ReactNode
}) {
  return (
    <div className={layout.line3}>
      <button
        type="button"
        className={styles.open}
        aria-label="Open full player"
        data-tooltip="Open full player"
        onClick={onOpen}
      >
        <Cover
          key={track.id}
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes="56px"
          eager
        />
      </button>
      <div className={styles.words}>
        <div className={styles.title} title={track.title}>
          {track.title}
        </div>
        <div className={styles.artist} title={track.artist}>
          <ArtistLinks track={track} />
        </div>
        <PremiumMark of={track} />
      </div>
      {aside}
    </div>
  )
}
