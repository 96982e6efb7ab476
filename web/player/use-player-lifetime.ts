// The life of the player with one account: brought back after a reload, kept while it changes, silent and
// empty once that account is signed out.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { refreshSession, sessionQuery, useSession } from '../app/session.ts'
import { keepPlayer } from './keep-player.ts'
import { connectMediaSession } from './media-session.ts'
import type { PlayQueue } from './play-queue.ts'
import type { RecoveryNeeds } from './playback-recovery.ts'
import { setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer, type Listener } from './player-store.ts'
import { initialPlayerView, usePlayerView } from './player-view.ts'
import { useHeldPlace } from './use-held-place.ts'
import { restorePlayer } from './saved-player.ts'
import { forgetQueue } from './saved-queue.ts'

export function usePlayerLifetime(): Omit<RecoveryNeeds, 'reload'> {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const userId = user?.id
  const isPremium = user?.is_premium ?? false

  useEffect(() => {
    if (userId === undefined) return
    const kept = beginListening(userId, readListener(queryClient)?.is_premium ?? false)
    const ends = [keepPlayer(userId, kept), connectMediaSession()]
    return () => {
      for (const end of ends) end()
      if (readListener(queryClient)?.user_id !== userId) endListening(userId)
    }
  }, [userId, queryClient])

  useEffect(() => {
    if (userId !== undefined) setListener({ user_id: userId, is_premium: isPremium })
  }, [userId, isPremium])

  const confirmPlace = useHeldPlace(userId)
  const refreshListener = async () => {
    await refreshSession(queryClient)
    return readListener(queryClient)
  }
  return { refreshListener, confirmPlace }
}

function readListener(queryClient: QueryClient): Listener | null {
  const profile = queryClient.getQueryData<Profile | null>(sessionQuery.queryKey)
  return profile ? { user_id: profile.id, is_premium: profile.is_premium } : null
}

/** What this account heard last, unless it has asked for something already. Gives the queue if it is that. */
function beginListening(userId: string, isPremium: boolean): PlayQueue | null {
  const { queue, instance } = usePlayer.getState()
  const saved = queue.index < 0 ? restorePlayer(userId, isPremium) : null
  if (saved) usePlayer.setState({ ...saved, instance: instance + 1 })
  setListener({ user_id: userId, is_premium: isPremium })
  return saved && saved.queue
}

function endListening(userId: string): void {
  forgetQueue(userId)
  const { instance } = usePlayer.getState()
  usePlayer.setState({ ...initialPlayerState, instance: instance + 1 })
  usePlayerView.setState(initialPlayerView)
}
