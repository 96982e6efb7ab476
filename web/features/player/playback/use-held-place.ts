// Connects this player's place to the server: sends its messages and handles events that revoke the place.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { keepPlaying, startPlaying, stopPlaying } from '#contract/playing.ts'
import { call } from '../../../base/api/api.ts'
import { beforeSignOut } from '../../../base/session/before-sign-out.ts'
import { onLiveEvent } from '../../../base/live/live-events.ts'
import { getKnownMember } from '../../../base/session/session.ts'
import { deviceId } from './device-id.ts'
import { holdPlace, type HeldPlace, type PlaceMessage } from './hold-place.ts'
import { pauseForOtherTabs } from './other-tabs.ts'
import { pause } from './player-actions.ts'
import { playerId } from '../queue/player-id.ts'
import { usePlayer } from './player-store.ts'

const endpoints = { start: startPlaying, beat: keepPlaying, stop: stopPlaying } as const

/** @returns a function that checks with the server whether this player may play */
export function useHeldPlace(userId: string | undefined): () => Promise<void> {
  const queryClient = useQueryClient()
  const held = useRef<HeldPlace | null>(null)
  useEffect(() => {
    if (userId === undefined) return
    const stopPausingForOtherTabs = pauseForOtherTabs()
    // After the session has ended, send nothing: the server would reject the request, and releases the place itself.
    const place = holdPlace(async (message) => {
      if (getKnownMember(queryClient)?.id === userId) await sendPlace(message, userId)
    })
    held.current = place
    const stop = onLiveEvent(({ topic, id }) => {
      const isForThisPlayer = topic === 'missed' || (topic === 'playing' && id === playerId())
      // Check with the server, because the event may have arrived late.
      if (isForThisPlayer && usePlayer.getState().playing) void place.confirm()
    })
    const stopWaiting = beforeSignOut(() => {
      pause()
      return place.settled()
    })
    return () => {
      stopWaiting()
      stop()
      stopPausingForOtherTabs()
      place.end()
      held.current = null
    }
  }, [userId, queryClient])
  return async () => held.current?.confirm()
}

/** Requests are aborted after this time, because the next request waits for the previous one. */
const timeoutMs = 8000

function sendPlace(message: PlaceMessage, userId: string): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const input = { params: { player_id: playerId() }, query: { device_id: deviceId(userId) } }
  return call(endpoints[message], input, { outlivesPage: true, signal })
}
