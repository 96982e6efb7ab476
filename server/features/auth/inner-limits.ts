// Limits on single steps of the sign-in: throttling, emails, codes. Limits on a complete operation are declared in its
// contract.
import { hour, minute, type RateLimit } from '#contract/rate-limit.ts'

export const innerLimits = {
  /** Wrong passwords for one account from all addresses. Above this, sign-in to the account is throttled. */
  signInAccount: { name: 'sign-in-account', count: 20, seconds: hour },
  /** Attempts above `signInAccount`. Both limits together allow at most 100 attempts an hour. */
  signInSlow: { name: 'sign-in-slow', count: 1, seconds: 45 },
  /** Wrong passwords from a browser that signed in to the account before. */
  signInKnownBrowser: { name: 'sign-in-known-browser', count: 20, seconds: hour },
  /** Emails that warn an owner about password guessing. */
  guessWarning: { name: 'guess-warning', count: 1, seconds: hour },
  /** Above this limit the response is the same, but no email is sent. */
  resetMail: { name: 'reset-mail', count: 3, seconds: hour },
  /** Ensures that concurrent requests that confirm an address send only one email. */
  welcomeMail: { name: 'welcome-mail', count: 1, seconds: hour },
  /** An authenticator code is valid for 90 seconds and for one sign-in. */
  usedCode: { name: 'used-code', count: 1, seconds: 2 * minute },
  /**
   * Serializes changes of one person's second factor. The time only matters if an instance crashes during a change: the
   * lock then expires.
   */
  secondFactorChange: { name: 'second-factor-change', count: 1, seconds: minute },
} as const satisfies Record<string, RateLimit>
