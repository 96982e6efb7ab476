// The last step of a sign-in, with or without a second factor: it is kept and told before the answer leaves.
import * as z from 'zod/mini'
import type { AccountNotices } from './account-notices.ts'
import type { Exchange } from './auth-exchange.ts'

/** What better-auth answers to a sign-in that is whole. */
export const signedIn = z.object({ user: z.object({ id: z.uuid(), email: z.string() }) })

/** A sign-in that cannot be kept is none: its session ends. */
export async function finishSignIn(
  { ctx, endSession, rememberBrowser, userAgent }: Exchange,
  notices: AccountNotices,
  result: unknown,
): Promise<void> {
  try {
    const { user } = z.parse(signedIn, result)
    await notices.signedIn(ctx, user.id, userAgent)
    rememberBrowser(user.email)
  } catch (error) {
    await endSession()
    throw error
  }
}
