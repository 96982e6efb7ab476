// The last step of a sign-in, with or without a second factor: records the sign-in and, for a new device, notifies the
// owner before the response is sent.
import * as z from 'zod/mini'
import type { AccountNotices } from './account-notices.ts'
import type { Exchange } from './auth-exchange.ts'

/** better-auth's response to a completed sign-in. */
export const signedIn = z.object({ user: z.object({ id: z.uuid(), email: z.string() }) })

/** Records the sign-in. If this fails, ends the session and throws the error. */
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
