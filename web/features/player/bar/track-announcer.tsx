// Announces the current track to screen readers, once per change.
import { VisuallyHidden } from '../../../base/ui/layout/visually-hidden.tsx'
import { selectTrack, usePlayer } from '../playback/player-store.ts'

export function TrackAnnouncer() {
  const words = usePlayer((state) => {
    const track = selectTrack(state)
    return track && state.playing ? `Now playing: ${track.title} by ${track.artist}` : ''
  })
  return <VisuallyHidden role="status">{words}</VisuallyHidden>
}
