// The player as a small card in the corner of the window.
import { IconArrowsMaximize, IconPlayerSkipBackFilled } from '#web/base/ui/icons/icons.ts'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import styles from './mini-player.module.css'
import { NowPlaying } from './now-playing.tsx'
import { skipPrevious } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import { SpotCard } from '../spots/spot-card.tsx'
import { SpotContent } from '../spots/spot-content.tsx'
import { PlayerProblem } from './player-problem.tsx'
import type { PlayerTrack } from '../queue/player-track.ts'
import { toggleFullPlayer, toggleMini } from '../playback/player-view.ts'
import { PreviewNotice } from './preview-notice.tsx'
import { ProgressLine } from './progress-line.tsx'
import { roomTint } from '../playback/room-tint.ts'
import { NextButton, PlayButton } from './transport-controls.tsx'

export function MiniPlayer({ track }: { track: PlayerTrack }) {
  const spot = usePlayer((state) => state.spot)
  return (
    <section className={styles.mini} style={roomTint(track)} aria-label="Player">
      <PlayerProblem />
      <PreviewNotice />
      <SpotCard />
      <div className={styles.row}>
        {spot ? (
          <SpotContent active={spot} />
        ) : (
          <NowPlaying track={track} onOpen={toggleFullPlayer} />
        )}
        <div className={styles.controls}>
          <IconButton label="Previous" onClick={skipPrevious}>
            <IconPlayerSkipBackFilled />
          </IconButton>
          <PlayButton />
          <NextButton />
          <IconButton label="Exit mini player" onClick={toggleMini}>
            <IconArrowsMaximize />
          </IconButton>
        </div>
      </div>
      <ProgressLine />
    </section>
  )
}
