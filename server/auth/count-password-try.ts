// How often passwords may be tried for one account. One address is stopped soon. Many addresses together only slow the
// account down, and its owner gets a mail: a limit that refuses everybody would let strangers lock the owner out.
import { countTry, forgiveTry, isWithinLimit, limitFor } from '../http/rate-limit.ts'
import type { Exchange } from './auth-exchange.ts'
import type { AuthLimits } from './auth-limits.ts'

export interface PasswordTryServices {
  limits: AuthLimits
  /** Mails the owner of this address, if there is one. */
  warnOwner: (email: string) => Promise<void>
}

/** Throws `rate_limited`. Call what it returns when the password was right. */
export async function countPasswordTry(
  { ctx, byAddress, findKnownBrowser }: Exchange,
  { limits, warnOwner }: PasswordTryServices,
  email: string,
): Promise<() => Promise<void>> {
  const own = byAddress(limits.signIn, email)
  const shared = byAddress(limits.signInAddress)
  // First: what one address is refused for does not count against the account.
  await countTry(ctx.db, [...own, ...shared])
  const browser = findKnownBrowser(email)
  if (browser !== null) {
    const known = limitFor(limits.signInKnownBrowser, browser)
    await countTry(ctx.db, [known])
    return () => forgiveTry(ctx.db, { reset: [...own, known], giveBack: shared })
  }
  const account = limitFor(limits.signInAccount, email)
  if (!(await isWithinLimit(ctx.db, account))) {
    if (await isWithinLimit(ctx.db, limitFor(limits.guessWarning, email))) await warnOwner(email)
    await countTry(ctx.db, [limitFor(limits.signInSlow, email)])
  }
  return () => forgiveTry(ctx.db, { reset: own, giveBack: [...shared, account] })
}
