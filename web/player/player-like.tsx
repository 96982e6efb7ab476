// The heart of the current track. What a like is, and what the server says to it, is not the player's
// matter: it is handed in.
import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import type { PlayerTrack } from './player-track.ts'
import { useTrackDetail } from './track-detail.ts'

/** Shows in the track's detail at once. */
export type ToggleLike = (trackId: string, liked: boolean) => void

export const LikeTrack = createContext<ToggleLike | undefined>(undefined)

/** Null where the player cannot like, for a draft, or while the server was not asked yet. */
export function useLikeOf(
  trackId: string | undefined,
): { isLiked: boolean; toggle: () => void } | null {
  const like = use(LikeTrack)
  const detail = useTrackDetail(trackId)
  // Answers kept on the device by an earlier version lack the field; those tracks were published.
  if (!like || !detail || detail.is_published === false) return null
  const { id, is_liked: isLiked } = detail
  return { isLiked, toggle: () => like(id, !isLiked) }
}

export function PlayerLike({ track }: { track: PlayerTrack }) {
  const like = useLikeOf(track.id)
  if (!like) return null
  return (
    <IconButton label={`Like ${track.title}`} pressed={like.isLiked} onClick={like.toggle}>
      {like.isLiked ? <IconHeartFilled /> : <IconHeart />}
    </IconButton>
  )
}
