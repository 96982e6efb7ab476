// Routes for a member's own sessions.
import * as contract from '#contract/sessions.ts'
import type { Route } from '../../../platform/http/route.ts'
import { endAllSessions, endSession, listSessions } from './session-operations.ts'

/** `evict` evicts a person from this instance's cache without waiting for the database notification. */
export function sessionRoutes(route: Route, evict: (userId: string) => void): void {
  route(contract.listSessions, listSessions)
  route(contract.checkConfirmation, checkConfirmation)
  route(contract.endSession, async (ctx, input) => {
    await endSession(ctx, input)
    evict(ctx.actor.user_id)
  })
  route(contract.endAllSessions, async (ctx) => {
    await endAllSessions(ctx)
    evict(ctx.actor.user_id)
  })
}

/** The router rejects callers who have not confirmed with their password, so there is nothing left to check here. */
async function checkConfirmation(): Promise<{ status: true }> {
  return { status: true }
}
