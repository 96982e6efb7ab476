// Announces the current track to screen readers, once per change.
import { useSite } from '../../../base/session/site.ts'
import { VisuallyHidden } from '../../../base/ui/layout/visually-hidden.tsx'
import { selectTrack, usePlayer } from '../playback/player-store.ts'

export function TrackAnnouncer() {
  const { brand_name } = useSite()
  const text = usePlayer((state) => {
    if (state.spot) return `Message from ${brand_name}: ${state.spot.spot.title}`
    const track = selectTrack(state)
    return track && state.playing ? `Now playing: ${track.title} by ${track.artist}` : ''
  })
  return <VisuallyHidden role="status">{text}</VisuallyHidden>
}
