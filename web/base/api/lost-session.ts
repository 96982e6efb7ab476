// Handles the end of a session while a screen contains unsaved work. The screen stays mounted, and the same user signs
// in again in a dialog above it. Invariant: no other user ever sees it.
import type { Query, QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import type { Profile } from '#contract/profiles.ts'
import { closeGate } from './request-gate.ts'

/** The user whose screen stays mounted, until they sign in again or the screen is released. */
export const useLostSession = create<{ member: Profile | null }>(() => ({ member: null }))

/** Filter for all queries whose data belongs to a user. */
export const memberQueries = { predicate: ({ queryKey }: Query) => queryKey[0] !== 'session' }

export function keepScreen(member: Profile): void {
  useLostSession.setState({ member })
  closeGate(
    new Promise<void>((resolve) => {
      const unsubscribe = useLostSession.subscribe((state) => {
        if (state.member) return
        unsubscribe()
        resolve()
      })
    }),
  )
}

/** Stops keeping the screen mounted. The screen then redirects to sign-in, like one without unsaved work. */
export function releaseScreen(client: QueryClient): void {
  client.removeQueries(memberQueries)
  useLostSession.setState({ member: null })
}
