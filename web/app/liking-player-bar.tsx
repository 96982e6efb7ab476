// Connects the player bar to two modules that it doesn't import: likes and play counting.
import { useCallback } from 'react'
import { useLike } from '../features/catalogue/use-like.ts'
import { PlayerBar } from '../features/player/bar/player-bar.tsx'
import { useReportPlays } from '../features/plays/use-report-plays.ts'

export function LikingPlayerBar() {
  useReportPlays()
  const { mutate } = useLike()
  const toggleLike = useCallback((id: string, liked: boolean) => mutate({ id, liked }), [mutate])
  return <PlayerBar onToggleLike={toggleLike} />
}
