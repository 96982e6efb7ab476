// The player with its heart wired to the saved likes, which the player itself knows nothing of.
import { useCallback } from 'react'
import { useLike } from '../catalogue/track-queries.ts'
import { PlayerBar } from '../player/player-bar.tsx'

export function LikingPlayerBar() {
  const { mutate } = useLike()
  const toggleLike = useCallback((id: string, liked: boolean) => mutate({ id, liked }), [mutate])
  return <PlayerBar onToggleLike={toggleLike} />
}
