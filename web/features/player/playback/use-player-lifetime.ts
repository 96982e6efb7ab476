// Lifecycle of the player for one account: restored after a reload or a lost session, saved while it changes, cleared
// when the user signs out or another one signs in.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  wasEndedHere,
  getKnownMember,
  refreshSession,
  useSession,
} from '../../../base/session/session.ts'
import { getKnownBrandName } from '../../../base/session/site.ts'
import { autoSavePlayer } from './auto-save-player.ts'
import { continueWithRadio } from './continue-with-radio.ts'
import { connectMediaSession } from './media-session.ts'
import type { PlayQueue } from '../queue/play-queue.ts'
import { cancelPlayRequests } from '../queue/play-requests.ts'
import type { RecoveryNeeds } from './playback-recovery.ts'
import { setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer, type Listener } from './player-store.ts'
import { initialPlayerView, usePlayerView } from './player-view.ts'
import { useHeldPlace } from './use-held-place.ts'
import {
  removeOtherSavedPlayers,
  removeSavedPlayer,
  markSignedOut,
  restorePlayer,
  unmarkSignedOut,
  wasSignedOut,
} from './saved-player.ts'

export function usePlayerLifetime(): Omit<RecoveryNeeds, 'reload'> {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const userId = user?.id
  const isPremium = user?.is_premium ?? false

  useEffect(() => {
    if (userId === undefined) return
    const leaving = new AbortController()
    const listener = { user_id: userId, is_premium: readListener(queryClient)?.is_premium ?? false }
    const ends = [connectMediaSession(() => getKnownBrandName(queryClient)), continueWithRadio()]
    void beginListening(listener, leaving.signal).then((kept) => {
      // Start saving only after the saved state was read.
      if (!leaving.signal.aborted) ends.push(autoSavePlayer(userId, kept))
    })
    return () => {
      leaving.abort()
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
  const profile = getKnownMember(queryClient)
  return profile ? { user_id: profile.id, is_premium: profile.is_premium } : null
}

/**
 * Restores the account's last player, unless playback has started before it is read. Returns the queue if it was
 * restored.
 */
async function beginListening(listener: Listener, signal: AbortSignal): Promise<PlayQueue | null> {
  if (wasSignedOut(listener.user_id)) removeSavedPlayer(listener.user_id)
  unmarkSignedOut()
  removeOtherSavedPlayers(listener.user_id)
  const { queue, instance } = usePlayer.getState()
  setListener(listener)
  if (queue.index >= 0) return null
  const saved = await restorePlayer(listener.user_id, listener.is_premium)
  if (!saved || signal.aborted || usePlayer.getState().instance !== instance) return null
  usePlayer.setState({ ...saved, instance: instance + 1 })
  return saved.queue
}

/**
 * Clears the player. The saved state is removed after a deliberate sign-out, and kept for the same user after a lost
 * session.
 */
function endListening(userId: string): void {
  cancelPlayRequests()
  if (wasEndedHere()) markSignedOut(userId)
  if (wasSignedOut(userId)) removeSavedPlayer(userId)
  const { instance } = usePlayer.getState()
  usePlayer.setState({ ...initialPlayerState, instance: instance + 1 })
  usePlayerView.setState(initialPlayerView)
}
