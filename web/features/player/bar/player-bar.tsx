// The player at the bottom of every screen. It renders nothing until a track is loaded. The code of its content is
// loaded with the first track.
import { useEffect, useEffectEvent, useState } from 'react'
import { usePlayingTitle } from '../../../base/session/document-title.ts'
import { lazyComponent } from '../../../base/ui/layout/lazy-component.tsx'
import { AudioElement } from '../playback/audio-element.tsx'
import { handleShortcuts } from '../panels/keyboard-shortcuts.ts'
import { PartBoundary } from './part-boundary.tsx'
import { LikeTrack, usePlayerLike, type ToggleLike } from './player-like.tsx'
import { selectTrack, usePlayer } from '../playback/player-store.ts'
import { setHelpOpen, usePlayerView } from '../playback/player-view.ts'
import { TrackAnnouncer } from './track-announcer.tsx'
import { usePlayerLifetime } from '../playback/use-player-lifetime.ts'
import { followSpots } from '../spots/follow-spots.ts'

const LoadedPlayer = lazyComponent(async () => (await import('./loaded-player.tsx')).LoadedPlayer)
const ShortcutSheet = lazyComponent(
  async () => (await import('../panels/shortcut-sheet.tsx')).ShortcutSheet,
)

export interface PlayerBarProps {
  /** Toggles a like on the server and in every list. If absent, the like button is hidden. */
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
  // The track for which the code failed to load. With the next track the import is retried.
  const [failedId, setFailedId] = useState<string>()
  return (
    <LikeTrack value={onToggleLike}>
      <AudioElement {...needs} />
      <TrackAnnouncer />
      <ShortcutKeys trackId={track?.id} />
      {track && track.id !== failedId && (
        <PartBoundary onClose={() => setFailedId(track.id)}>
          <LoadedPlayer track={track} />
        </PartBoundary>
      )}
    </LikeTrack>
  )
}

function ShortcutKeys({ trackId }: { trackId: string | undefined }) {
  const isHelpOpen = usePlayerView((view) => view.isHelpOpen)
  const like = usePlayerLike(trackId)
  const readContext = useEffectEvent(() => ({ toggleLike: () => like?.toggle() }))
  useEffect(() => handleShortcuts(() => readContext()), [])
  return (
    <PartBoundary onClose={() => setHelpOpen(false)}>
      {isHelpOpen && <ShortcutSheet />}
    </PartBoundary>
  )
}
