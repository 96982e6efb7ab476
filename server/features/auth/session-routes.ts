// A member's own sessions.
import { checkConfirmation, endAllSessions, endSession, listSessions } from '#contract/sessions.ts'
import type { Route } from '../../platform/http/route.ts'
import { endAllOwnSessions, endOwnSession, listOwnSessions } from './session-operations.ts'

/** `forget` evicts a person from this instance's cache without waiting for the database notification. */
export function sessionRoutes(route: Route, forget: (userId: string) => void): void {
  route(listSessions, listOwnSessions)
  // What it needs was checked before.
  route(checkConfirmation, async () => ({ status: true as const }))
  route(endSession, async (ctx, input) => {
    await endOwnSession(ctx, input)
    forget(ctx.actor.user_id)
  })
  route(endAllSessions, async (ctx) => {
    await endAllOwnSessions(ctx)
    forget(ctx.actor.user_id)
  })
}
