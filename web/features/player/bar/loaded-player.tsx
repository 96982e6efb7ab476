// The player UI while a track is loaded: bar, slim bar or mini player, side panel, full player.
import { useEffect } from 'react'
import { lazyComponent } from '../../../base/ui/layout/lazy-component.tsx'
import { LyricsPanel, QueuePanel, SettingsPanel } from '../panels/panels.ts'
import { usePlayer } from '../playback/player-store.ts'
import {
  closePanel,
  toggleFullPlayer,
  unmountFullPlayer,
  usePlayerView,
} from '../playback/player-view.ts'
import { roomTint } from '../playback/room-tint.ts'
import { useIsNarrow } from '../playback/use-is-narrow.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { SpotCard } from '../spots/spot-card.tsx'
import { SpotContent } from '../spots/spot-content.tsx'
import { SpotProgress } from '../spots/spot-progress.tsx'
import { MiniPlayer } from './mini-player.tsx'
import { NowPlaying } from './now-playing.tsx'
import { PartBoundary } from './part-boundary.tsx'
import styles from './player-bar.module.css'
import { PlayerLike } from './player-like.tsx'
import { PlayerProblem } from './player-problem.tsx'
import { PlayerTools } from './player-tools.tsx'
import { PreviewNotice } from './preview-notice.tsx'
import { SeekBar } from './seek-bar.tsx'
import { SlimBar } from './slim-bar.tsx'
import { TransportControls } from './transport-controls.tsx'

const FullPlayer = lazyComponent(async () => (await import('./full-player.tsx')).FullPlayer)
const SidePanel = lazyComponent(async () => (await import('./side-panel.tsx')).SidePanel)
const loadedAhead = [FullPlayer, SidePanel, QueuePanel, LyricsPanel, SettingsPanel]

/** Delay before prefetching code, so that the track itself loads first. */
const fetchAheadAfterMs = 3000

export function LoadedPlayer({ track }: { track: PlayerTrack }) {
  const panel = usePlayerView((view) => view.panel)
  const isMini = usePlayerView((view) => view.isMini)
  const isNarrow = useIsNarrow()
  useFetchAhead()
  return (
    <>
      {isMini && !isNarrow ? (
        <MiniPlayer track={track} />
      ) : (
        <section className={styles.bar} style={roomTint(track)} aria-label="Player">
          <PlayerProblem />
          <PreviewNotice />
          <SpotCard />
          {isNarrow ? <SlimBar track={track} /> : <WideBar track={track} />}
        </section>
      )}
      <PartBoundary onClose={closePanel}>
        {panel && !isNarrow && <SidePanel panel={panel} track={track} />}
      </PartBoundary>
      <FullPlayerWhenAsked track={track} />
    </>
  )
}

function WideBar({ track }: { track: PlayerTrack }) {
  const spot = usePlayer((state) => state.spot)
  return (
    <div className={styles.wide}>
      {spot ? (
        <SpotContent active={spot} />
      ) : (
        <NowPlaying track={track} onOpen={toggleFullPlayer} aside={<PlayerLike track={track} />} />
      )}
      <div className={styles.middle}>
        <TransportControls />
        {spot ? <SpotProgress /> : <SeekBar track={track} />}
      </div>
      <PlayerTools />
    </div>
  )
}

/** Prefetches the code of the panels, so that they open immediately, even while offline. */
function useFetchAhead() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Ignore failures: opening the panel loads the code again and reports errors.
      for (const part of loadedAhead) part.load().catch(() => {})
    }, fetchAheadAfterMs)
    return () => clearTimeout(timer)
  }, [])
}

/** The full player. Stays mounted after the first opening, so that the closing animation can run. */
function FullPlayerWhenAsked({ track }: { track: PlayerTrack }) {
  const isFull = usePlayerView((view) => view.isFull)
  const wasFull = usePlayerView((view) => view.wasFull)
  if (!isFull && !wasFull) return null
  return (
    <PartBoundary onClose={unmountFullPlayer}>
      <FullPlayer track={track} open={isFull} />
    </PartBoundary>
  )
}
