// A session that ended while a screen held unsaved work. The screen stays mounted, and the same member signs in
// above it. Invariant: nobody else ever sees it.
import type { Query, QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import type { Profile } from '#contract/profiles.ts'
import { closeGate } from './request-gate.ts'

/** The member whose screen is kept, until they sign in again or release it. */
export const useLostSession = create<{ member: Profile | null }>(() => ({ member: null }))

/** Everything in the cache that belongs to a member. */
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

/** The screen then leads to signing in, as without unsaved work. */
export function releaseScreen(client: QueryClient): void {
  client.removeQueries(memberQueries)
  useLostSession.setState({ member: null })
}
