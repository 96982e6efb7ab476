// The player's place among those of the account, told to the server and lost by its word.
import { useEffect, useRef } from 'react'
import { keepPlaying, startPlaying, stopPlaying } from '#contract/playing.ts'
import { call } from '../app/api.ts'
import { onLiveEvent } from '../app/live-events.ts'
import { holdPlace, type HeldPlace, type PlaceWord } from './hold-place.ts'
import { playerId } from './player-id.ts'
import { usePlayer } from './player-store.ts'

const words = { start: startPlaying, beat: keepPlaying, stop: stopPlaying } as const

/** @returns how to ask the server whether this player may play */
export function useHeldPlace(userId: string | undefined): () => Promise<void> {
  const held = useRef<HeldPlace | null>(null)
  useEffect(() => {
    if (userId === undefined) return
    const place = holdPlace(tellServer)
    held.current = place
    const stop = onLiveEvent(({ topic, id }) => {
      const concernsUs = topic === 'missed' || (topic === 'playing' && id === playerId())
      // The server's word counts, not the event: it may have come late.
      if (concernsUs && usePlayer.getState().playing) void place.confirm()
    })
    return () => {
      stop()
      place.end()
      held.current = null
    }
  }, [userId])
  return async () => held.current?.confirm()
}

/** The next word waits for this one. */
const patienceMs = 8000

function tellServer(word: PlaceWord): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  return call(words[word], { params: { player_id: playerId() } }, { outlivesPage: true, signal })
}
