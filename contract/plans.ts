// Prices, limits and features of each plan, shared by server and web.

/**
 * Limits for free members: playlists they may own, and tracks per playlist. Premium members have no such limits.
 * `shown-texts.ts` names the numbers.
 */
export const freeLimits = { playlists: 1, tracks_per_playlist: 10 } as const

/** Default number of devices on which one account may play at the same time. */
export const defaultStreams = { free: 1, premium: 3 } as const

/** For the web app, until it has loaded the setting. The default of the setting is in the database. */
export const defaultPreviewLengthSeconds = 45
export const defaultPricing = { monthly_cents: 999, yearly_cents: 9999 } as const

/** Default number of days that Premium continues after a failed payment. */
export const defaultGraceDays = 7

/** Default currency of prices and manual payments: ISO 4217, lower case. */
export const defaultCurrency = 'usd'

export const tiers = ['free', 'monthly', 'yearly', 'premium', 'lifetime', 'comped'] as const
export type Tier = (typeof tiers)[number]

export const subscriptionStatuses = [
  'active',
  'inactive',
  'pending',
  'canceled',
  'trialing',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export const storedRoles = ['admin', 'editor', 'creator', 'member'] as const
/** 'banned' is shown like a role but stored as a separate flag, so that lifting a ban restores the role. */
export const roles = [...storedRoles, 'banned'] as const
export type Role = (typeof roles)[number]

export const paymentMethods = ['cash', 'check', 'cashapp', 'zelle', 'other'] as const
export type ManualMethod = (typeof paymentMethods)[number]

/** The subscription status after an admin changes the tier: `inactive` for free, `active` for any other tier. */
export function getTierStatus(tier: Tier): 'active' | 'inactive' {
  return tier === 'free' ? 'inactive' : 'active'
}

/** Whether a subscription gives access to Premium. The only place that decides this. */
export function isPremium(subscriptionStatus: SubscriptionStatus): boolean {
  return subscriptionStatus === 'active'
}
