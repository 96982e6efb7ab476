// Rate limits on single steps of the sign-in: throttling, emails, codes. Rate limits on a complete operation are
// declared in its contract.
import { hour, minute, type RateLimit } from '#contract/rate-limit.ts'

export const innerLimits = {
  /** Wrong passwords for one account from all addresses. Above this limit, sign-in to the account is throttled. */
  signInAccount: { name: 'sign-in-account', count: 20, seconds: hour },
  /** Allowed attempts above `signInAccount`. Both limits together allow at most 100 attempts an hour. */
  signInSlow: { name: 'sign-in-slow', count: 1, seconds: 45 },
  /** Wrong passwords from a browser that signed in to the account before (known-browser.ts). */
  signInKnownBrowser: { name: 'sign-in-known-browser', count: 20, seconds: hour },
  /** Emails that warn an owner about password guessing. */
  guessWarning: { name: 'guess-warning', count: 1, seconds: hour },
  /** Password reset emails to one address. Above this limit the response is the same, but no email is sent. */
  resetMail: { name: 'reset-mail', count: 3, seconds: hour },
  /** Lets concurrent requests that confirm an address send only one welcome email. */
  welcomeMail: { name: 'welcome-mail', count: 1, seconds: hour },
  /** An authenticator code is valid for 90 seconds. This limit lets it be used for one sign-in only. */
  usedCode: { name: 'used-code', count: 1, seconds: 2 * minute },
  /**
   * A lock that serializes changes of one person's second factor. The time matters only if an instance crashes during a
   * change: the lock then expires.
   */
  secondFactorChange: { name: 'second-factor-change', count: 1, seconds: minute },
} as const satisfies Record<string, RateLimit>
