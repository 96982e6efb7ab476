// Limits per action. Per-account limits also count addresses without an account, so that a limit does not reveal
// whether an account exists.
import type { RateLimit } from '../../platform/limits/rate-limit.ts'

const minute = 60
const hour = 3600

export const authLimits = {
  /** Wrong passwords for one account from one address. For IPv6 larger networks are counted too, see limitByAddress. */
  signIn: { name: 'sign-in', max: 5, windowSeconds: 15 * minute },
  /** Wrong passwords from one address, for any account. */
  signInAddress: { name: 'sign-in-address', max: 50, windowSeconds: 15 * minute },
  /** Wrong passwords for one account from all addresses. Above this, sign-in to the account is throttled. */
  signInAccount: { name: 'sign-in-account', max: 20, windowSeconds: hour },
  /** Together with the limits above: at most 100 an hour. */
  signInSlow: { name: 'sign-in-slow', max: 1, windowSeconds: 45 },
  /** Wrong passwords from a browser that signed in to the account before. */
  signInKnownBrowser: { name: 'sign-in-known-browser', max: 20, windowSeconds: hour },
  /** Mails that warn an owner about password guessing. */
  guessWarning: { name: 'guess-warning', max: 1, windowSeconds: hour },
  signUp: { name: 'sign-up', max: 3, windowSeconds: hour },
  signUpAddress: { name: 'sign-up-address', max: 30, windowSeconds: hour },
  /** Above this the response is the same, but no mail is sent. */
  resetMail: { name: 'reset-mail', max: 3, windowSeconds: hour },
  resetMailAddress: { name: 'reset-mail-address', max: 20, windowSeconds: hour },
  /** Links to confirm one's own address. */
  confirmMail: { name: 'confirm-mail', max: 3, windowSeconds: hour },
  /** Tokens from mails, valid or not. */
  mailTokenAddress: { name: 'mail-token-address', max: 30, windowSeconds: 15 * minute },
  /** Wrong second factors from one address; better-auth also counts them per account. */
  secondFactorAddress: { name: 'second-factor-address', max: 20, windowSeconds: 15 * minute },
  /** An authenticator's code is valid for 90 seconds, and for one sign-in. */
  usedCode: { name: 'used-code', max: 1, windowSeconds: 120 },
  /** Concurrent changes of one person's second factor. The window only matters if an instance dies during a change. */
  secondFactorChange: { name: 'second-factor-change', max: 1, windowSeconds: minute },
  /** Wrong codes and passwords while signed in. */
  ownSettings: { name: 'own-settings', max: 5, windowSeconds: 15 * minute },
} as const satisfies Record<string, RateLimit>

export type AuthLimits = Record<keyof typeof authLimits, RateLimit>
