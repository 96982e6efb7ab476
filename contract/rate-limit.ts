// Rate limits, in windows of a fixed length that start with the first attempt. When a limit is exceeded, the response
// is 429 `rate_limited` with Retry-After.

export interface RateLimit {
  /** Limits with the same name share one count. */
  name: string
  count: number
  seconds: number
}

/** Counts valid calls. Enforced by the router before the operation runs. */
export interface CallLimit extends RateLimit {
  /**
   * Whose calls are counted together. `caller`: those of the account, or of the IP address if the caller is not
   * signed in.
   */
  per: 'account' | 'address' | 'caller'
  /** Admins are not limited. */
  exceptAdmins?: true
}

/** Counted by the operation itself, because only the operation knows the key or the outcome. */
export interface OwnLimit extends RateLimit {
  /** What is counted, as shown on the API page: `wrong passwords from one address`. */
  counts: string
}

export type DeclaredLimit = CallLimit | OwnLimit

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** CSV exports. Each one reads all matching rows. */
export const exportLimit = {
  name: 'export',
  per: 'account',
  count: 60,
  seconds: hour,
} as const satisfies CallLimit

/** Emails that an admin sends one at a time. */
export const adminMailLimit = {
  name: 'admin-mail',
  per: 'account',
  count: 60,
  seconds: hour,
} as const satisfies CallLimit

/** Each check sends several DNS queries. */
export const domainCheckLimit = {
  name: 'domain-check',
  per: 'account',
  count: 60,
  seconds: hour,
} as const satisfies CallLimit

/** Each check of a key sends several requests to Stripe. */
export const stripeKeyLimit = {
  name: 'stripe-key',
  per: 'account',
  count: 60,
  seconds: hour,
} as const satisfies CallLimit

/** Lists of people to invite. */
export const invitationListLimit = {
  name: 'invitation-list',
  per: 'account',
  count: 20,
  seconds: hour,
} as const satisfies CallLimit

/** Payment pages. Creating one requires a request to Stripe. */
export const paymentPageLimit = {
  name: 'payment-page',
  per: 'account',
  count: 20,
  seconds: hour,
} as const satisfies CallLimit

/**
 * Limits the encoding of pictures, which takes seconds. If an operation is refused, its upload remains usable, so the
 * same picture could be encoded repeatedly.
 */
export const pictureLimit = {
  name: 'picture',
  counts: 'pictures created from one upload',
  count: 3,
  seconds: hour,
} as const satisfies OwnLimit

// Per-account sign-in limits also count addresses without an account, so that a limit does not reveal whether an
// account exists.

export const authLimits = {
  /** For IPv6, attempts are also counted per larger network, see createAddressKeys. */
  signIn: {
    name: 'sign-in',
    counts: 'wrong passwords and codes for one account from one address',
    count: 5,
    seconds: 15 * minute,
  },
  signInAddress: {
    name: 'sign-in-address',
    counts: 'wrong passwords and codes from one address, for any account',
    count: 50,
    seconds: 15 * minute,
  },
  signUp: { name: 'sign-up', counts: 'attempts with one email address', count: 3, seconds: hour },
  signUpAddress: {
    name: 'sign-up-address',
    counts: 'attempts from one address',
    count: 30,
    seconds: hour,
  },
  resetMailAddress: {
    name: 'reset-mail-address',
    counts: 'calls from one address',
    count: 20,
    seconds: hour,
  },
  /** Limit for emails with a link that confirms an email address. */
  confirmMail: { name: 'confirm-mail', counts: 'emails to one address', count: 3, seconds: hour },
  /** Uses of tokens from emails, valid or not. */
  mailTokenAddress: {
    name: 'mail-token-address',
    counts: 'email tokens from one address',
    count: 30,
    seconds: 15 * minute,
  },
  /** better-auth also limits second-factor attempts per account. */
  secondFactorAddress: {
    name: 'second-factor-address',
    counts: 'wrong codes from one address',
    count: 20,
    seconds: 15 * minute,
  },
  ownSettings: {
    name: 'own-settings',
    counts: 'wrong passwords and codes of one signed-in account',
    count: 5,
    seconds: 15 * minute,
  },
} as const satisfies Record<string, OwnLimit>
