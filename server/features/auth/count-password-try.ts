// Limits password tries per account. A single address is refused soon. Many addresses together only throttle the
// account, and its owner gets a mail: a hard limit would let strangers lock the owner out.
import { countTry, refundTry, isWithinLimit, limitFor } from '../../platform/limits/rate-limit.ts'
import type { Exchange } from './auth-exchange.ts'
import type { AuthLimits } from './auth-limits.ts'

export interface PasswordTryServices {
  limits: AuthLimits
  /** Mails the owner of this address, if there is one. */
  warnOwner: (email: string) => Promise<void>
}

/** Throws `rate_limited`. Call the returned function if the password was right. */
export async function countPasswordTry(
  { ctx, byAddress, findKnownBrowser }: Exchange,
  { limits, warnOwner }: PasswordTryServices,
  email: string,
): Promise<() => Promise<void>> {
  const own = byAddress(limits.signIn, email)
  const shared = byAddress(limits.signInAddress)
  // Count these first: tries refused for one address must not count against the account.
  await countTry(ctx.db, [...own, ...shared])
  const browser = findKnownBrowser(email)
  if (browser !== null) {
    const known = limitFor(limits.signInKnownBrowser, browser)
    await countTry(ctx.db, [known])
    return () => refundTry(ctx.db, { reset: [...own, known], giveBack: shared })
  }
  const account = limitFor(limits.signInAccount, email)
  if (!(await isWithinLimit(ctx.db, account))) {
    if (await isWithinLimit(ctx.db, limitFor(limits.guessWarning, email))) await warnOwner(email)
    await countTry(ctx.db, [limitFor(limits.signInSlow, email)])
  }
  return () => refundTry(ctx.db, { reset: own, giveBack: [...shared, account] })
}
