// The like button of the current track. The app provides the like handler.
import { IconHeart, IconHeartFilled } from '#web/base/ui/icons/icons.ts'
import { createContext, use } from 'react'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import type { PlayerTrack } from '../queue/player-track.ts'
import { useTrackDetail } from '../playback/track-detail.ts'

/** This handler must update the cached track detail immediately. */
export type ToggleLike = (trackId: string, liked: boolean) => void

export const LikeTrack = createContext<ToggleLike | undefined>(undefined)

/** Returns null if the player has no like handler, for a draft, and until the track's detail is loaded. */
export function usePlayerLike(
  trackId: string | undefined,
): { isLiked: boolean; toggle: () => void } | null {
  const like = use(LikeTrack)
  const detail = useTrackDetail(trackId)
  // Responses that an earlier version cached on the device lack the field. Their tracks were published.
  if (!like || !detail || detail.is_published === false) return null
  const { id, is_liked: isLiked } = detail
  return { isLiked, toggle: () => like(id, !isLiked) }
}

export function PlayerLike({ track }: { track: PlayerTrack }) {
  const like = usePlayerLike(track.id)
  if (!like) return null
  return (
    <IconButton label={`Like ${track.title}`} pressed={like.isLiked} onClick={like.toggle}>
      {like.isLiked ? <IconHeartFilled /> : <IconHeart />}
    </IconButton>
  )
}
