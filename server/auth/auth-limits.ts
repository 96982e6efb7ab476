// How often each act may be tried. What is counted per account is counted for addresses without an
// account just the same, so that limits tell nothing.
import type { RateLimit } from '../http/rate-limit.ts'

const minute = 60
const hour = 3600

export const authLimits = {
  /** Wrong passwords for one account from one address. IPv6 counts wider nets too, see limitByAddress. */
  signIn: { name: 'sign-in', max: 5, windowSeconds: 15 * minute },
  /** Wrong passwords from one address, whatever the account. */
  signInAddress: { name: 'sign-in-address', max: 50, windowSeconds: 15 * minute },
  /** Wrong passwords for one account from all addresses; beyond it the account slows down. */
  signInAccount: { name: 'sign-in-account', max: 20, windowSeconds: hour },
  /** With those before it, 100 an hour at most. */
  signInSlow: { name: 'sign-in-slow', max: 1, windowSeconds: 45 },
  /** Wrong passwords from a browser that signed in to the account before. */
  signInKnownBrowser: { name: 'sign-in-known-browser', max: 20, windowSeconds: hour },
  /** Mails to an owner whose password is being guessed. */
  guessWarning: { name: 'guess-warning', max: 1, windowSeconds: hour },
  signUp: { name: 'sign-up', max: 3, windowSeconds: hour },
  signUpAddress: { name: 'sign-up-address', max: 30, windowSeconds: hour },
  /** Beyond it the answer is the same, and no mail goes out. */
  resetMail: { name: 'reset-mail', max: 3, windowSeconds: hour },
  resetMailAddress: { name: 'reset-mail-address', max: 20, windowSeconds: hour },
  /** Links to confirm the own address. */
  confirmMail: { name: 'confirm-mail', max: 3, windowSeconds: hour },
  /** Tokens of mails, right or wrong. */
  mailTokenAddress: { name: 'mail-token-address', max: 30, windowSeconds: 15 * minute },
  /** Wrong second factors from one address; better-auth also counts them per account. */
  secondFactorAddress: { name: 'second-factor-address', max: 20, windowSeconds: 15 * minute },
  /** An authenticator's code is valid for 90 seconds, and for one sign-in. */
  usedCode: { name: 'used-code', max: 1, windowSeconds: 120 },
  /** Set-ups of one person's second factor that change at once; the time is for an instance that died in the middle. */
  secondFactorChange: { name: 'second-factor-change', max: 1, windowSeconds: minute },
  /** Wrong codes and passwords while signed in. */
  ownSettings: { name: 'own-settings', max: 5, windowSeconds: 15 * minute },
} as const satisfies Record<string, RateLimit>

export type AuthLimits = Record<keyof typeof authLimits, RateLimit>
