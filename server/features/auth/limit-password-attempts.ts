// Limits password attempts per account. Attempts from one network address are refused after a few. Attempts from many
// addresses only throttle the account, and its owner gets an email: a hard limit would let strangers lock the owner
// out.
import { authLimits } from '#contract/rate-limit.ts'
import { createLimitedKey } from '../../platform/limits/limit-keys.ts'
import { refundRateLimit, createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit, isWithinLimit } from '../../platform/limits/rate-limit.ts'
import type { Exchange } from './auth-exchange.ts'
import { innerLimits } from './inner-limits.ts'

export interface PasswordAttemptServices {
  /** Emails the owner of this address, if it has an account. */
  warnOwner: (email: string) => Promise<void>
}

/** Counts an attempt. Throws `rate_limited`. Call the returned function if the password was correct. */
export async function limitPasswordAttempts(
  { ctx, byAddress, findKnownBrowser }: Exchange,
  { warnOwner }: PasswordAttemptServices,
  email: string,
): Promise<() => Promise<void>> {
  const store = createSharedStore(ctx.db)
  const own = byAddress(authLimits.signIn, email)
  const shared = byAddress(authLimits.signInAddress)
  // Check the caller's own limits first: attempts that they refuse must not count against the account.
  await consumeRateLimit(store, [...own, ...shared])
  const browser = findKnownBrowser(email)
  if (browser !== null) {
    const known = createLimitedKey(innerLimits.signInKnownBrowser, browser)
    await consumeRateLimit(store, [known])
    return () => refundRateLimit(ctx.db, { reset: [...own, known], giveBack: shared })
  }
  const account = createLimitedKey(innerLimits.signInAccount, email)
  if (!(await isWithinLimit(store, account))) {
    if (await isWithinLimit(store, createLimitedKey(innerLimits.guessWarning, email)))
      await warnOwner(email)
    await consumeRateLimit(store, [createLimitedKey(innerLimits.signInSlow, email)])
  }
  return () => refundRateLimit(ctx.db, { reset: own, giveBack: [...shared, account] })
}
