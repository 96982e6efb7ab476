// The bar on a phone: the current track, play and next. A tap opens the full player with all other controls.
import { Cover } from '../../../base/ui/display/cover.tsx'
import { VisuallyHidden } from '../../../base/ui/layout/visually-hidden.tsx'
import { usePlayer, type ActiveSpot } from '../playback/player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { toggleFullPlayer } from '../playback/player-view.ts'
import { ProgressLine } from './progress-line.tsx'
import styles from './slim-bar.module.css'
import { NextButton, PlayButton } from './transport-controls.tsx'
import { SpotContent } from '../spots/spot-content.tsx'

export function SlimBar({ track }: { track: PlayerTrack }) {
  const source = usePlayer((state) => state.source)
  const spot = usePlayer((state) => state.spot)
  if (spot) return <SlimSpot active={spot} />
  return (
    <div className={styles.slim}>
      <button type="button" className={styles.open} onClick={toggleFullPlayer}>
        <VisuallyHidden>Open full player: </VisuallyHidden>
        <span className={styles.cover}>
          <Cover
            key={track.id}
            url={track.cover_url}
            tint={track.cover_tint}
            placeholder={track.cover_placeholder}
            title={track.title}
            sizes="48px"
            eager
          />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>{track.title}</span>
          <span className={styles.artist}>
            {track.artist}
            {source && ` · ${source}`}
          </span>
        </span>
      </button>
      <PlayButton />
      <NextButton />
      <ProgressLine />
    </div>
  )
}

function SlimSpot({ active }: { active: ActiveSpot }) {
  return (
    <div className={styles.slim}>
      <div className={styles.spot}>
        <SpotContent active={active} />
      </div>
      <PlayButton />
      <NextButton />
      <ProgressLine />
    </div>
  )
}
