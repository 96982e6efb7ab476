// The player at the bottom of every screen while a track is loaded. The code of everything beyond the bar is loaded
// when first opened.
import { useEffect, useEffectEvent } from 'react'
import { usePlayingTitle } from '../../../base/session/document-title.ts'
import { lazyComponent } from '../../../base/ui/layout/lazy-component.tsx'
import { AudioElement } from '../playback/audio-element.tsx'
import { handleShortcuts } from '../panels/keyboard-shortcuts.ts'
import { MiniPlayer } from './mini-player.tsx'
import { NowPlaying } from './now-playing.tsx'
import { PartBoundary } from './part-boundary.tsx'
import { LyricsPanel, QueuePanel, SettingsPanel } from '../panels/panels.ts'
import styles from './player-bar.module.css'
import { LikeTrack, PlayerLike, useLikeOf, type ToggleLike } from './player-like.tsx'
import { PlayerProblem } from './player-problem.tsx'
import { selectTrack, usePlayer } from '../playback/player-store.ts'
import { PlayerTools } from './player-tools.tsx'
import type { PlayerTrack } from '../queue/player-track.ts'
import {
  closePanel,
  unmountFullPlayer,
  setHelpOpen,
  toggleFullPlayer,
  usePlayerView,
} from '../playback/player-view.ts'
import { PreviewNotice } from './preview-notice.tsx'
import { roomTint } from '../playback/room-tint.ts'
import { SeekBar } from './seek-bar.tsx'
import { SlimBar } from './slim-bar.tsx'
import { TrackAnnouncer } from './track-announcer.tsx'
import { TransportControls } from './transport-controls.tsx'
import { usePlayerLifetime } from '../playback/use-player-lifetime.ts'
import { followSpots } from '../spots/follow-spots.ts'
import { SpotCard } from '../spots/spot-card.tsx'
import { SpotContent } from '../spots/spot-content.tsx'
import { SpotProgress } from '../spots/spot-progress.tsx'
import { useIsNarrow } from '../playback/use-is-narrow.ts'

const FullPlayer = lazyComponent(async () => (await import('./full-player.tsx')).FullPlayer)
const SidePanel = lazyComponent(async () => (await import('./side-panel.tsx')).SidePanel)
const ShortcutSheet = lazyComponent(
  async () => (await import('../panels/shortcut-sheet.tsx')).ShortcutSheet,
)
const loadedAhead = [FullPlayer, SidePanel, QueuePanel, LyricsPanel, SettingsPanel]

/** Delay before prefetching code, so that the track itself loads first. */
const fetchAheadAfterMs = 3000

export interface PlayerBarProps {
  /** Toggles a like on the server and in every list. Without it the like button is hidden. */
  onToggleLike?: ToggleLike
}

export function PlayerBar({ onToggleLike }: PlayerBarProps) {
  const needs = usePlayerLifetime()
  const track = usePlayer(selectTrack)
  const isPlaying = usePlayer((state) => state.playing)
  const spotTitle = usePlayer((state) => state.spot?.spot.title)
  const playing = spotTitle ?? (track && `${track.title} · ${track.artist}`)
  usePlayingTitle(playing && isPlaying ? playing : null)
  useEffect(() => followSpots(), [])
  return (
    <LikeTrack value={onToggleLike}>
      <AudioElement {...needs} />
      <TrackAnnouncer />
      <ShortcutKeys trackId={track?.id} />
      {track && <LoadedPlayer track={track} />}
    </LikeTrack>
  )
}

function LoadedPlayer({ track }: { track: PlayerTrack }) {
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

/** Prefetches the code of the panels, so that they open immediately and while offline. */
function useFetchAhead() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // An import that fails is reported when the part is opened.
      for (const part of loadedAhead) part.load().catch(() => {})
    }, fetchAheadAfterMs)
    return () => clearTimeout(timer)
  }, [])
}

/** Stays mounted after the first opening, so that the closing animation can run. */
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

function ShortcutKeys({ trackId }: { trackId: string | undefined }) {
  const isHelpOpen = usePlayerView((view) => view.isHelpOpen)
  const like = useLikeOf(trackId)
  const readContext = useEffectEvent(() => ({ toggleLike: () => like?.toggle() }))
  useEffect(() => handleShortcuts(() => readContext()), [])
  return (
    <PartBoundary onClose={() => setHelpOpen(false)}>
      {isHelpOpen && <ShortcutSheet />}
    </PartBoundary>
  )
}
