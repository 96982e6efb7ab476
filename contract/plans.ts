// Prices, limits and what each plan offers: the one place for both sides.

/** Free members: playlists they may own, and tracks each may hold. Premium has no limit. */
export const freeLimits = { playlists: 1, tracks_per_playlist: 10 } as const

/** Devices on which one account plays at once, until the owner sets something else. */
export const defaultStreams = { free: 1, premium: 3 } as const

export const defaultPreviewLengthSeconds = 45
export const defaultPricing = { monthly_cents: 999, yearly_cents: 9999 } as const

/** What prices and payments by hand are in: ISO 4217, lower case. */
export const houseCurrency = 'usd'

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
/** 'banned' is shown as a role but kept as a flag, so that lifting a ban restores the role. */
export const roles = [...storedRoles, 'banned'] as const
export type Role = (typeof roles)[number]

export const paymentMethods = ['cash', 'check', 'cashapp', 'zelle', 'other'] as const

/** The status that follows when an admin changes a tier: free ends it, everything else starts it. */
export function statusOfTier(tier: Tier): 'active' | 'inactive' {
  return tier === 'free' ? 'inactive' : 'active'
}

/** Premium is this and nothing else. */
export function isPremium(subscriptionStatus: SubscriptionStatus): boolean {
  return subscriptionStatus === 'active'
}
