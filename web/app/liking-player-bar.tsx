// Connects the player to the modules it doesn't know: likes and play counting.
import { useCallback } from 'react'
import { useLike } from '../catalogue/use-like.ts'
import { PlayerBar } from '../player/player-bar.tsx'
import { useReportPlays } from '../plays/use-report-plays.ts'

export function LikingPlayerBar() {
  useReportPlays()
  const { mutate } = useLike()
  const toggleLike = useCallback((id: string, liked: boolean) => mutate({ id, liked }), [mutate])
  return <PlayerBar onToggleLike={toggleLike} />
}
