// The entitlements of each plan. Operations call these functions instead of comparing plans themselves.
import { grantsAccess } from '#contract/access.ts'
import { getRestriction, type Restriction } from '#contract/fields/availability.ts'
import type { FeatureAudience } from '#contract/features.ts'
import { freeLimits, isPremium } from '#contract/plans.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'

type PlanHolder = Pick<Actor, 'role' | 'subscription_status'>

/**
 * Whether this person may play full tracks and open restricted content. True for Premium members, admins and editors.
 */
export function hasFullAccess(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status) || grantsAccess(actor.role, 'editor')
}

/**
 * Returns why this person needs Premium for a track or release: it is in early access or Premium only. Null if the
 * person has access.
 */
export function getPremiumReason(
  actor: PlanHolder,
  marks: Parameters<typeof getRestriction>[0],
  now: Date,
): Restriction | null {
  return hasFullAccess(actor) ? null : getRestriction(marks, now.getTime())
}

/**
 * Whether this person may play the full track. A track without a preview plays in full for every member, unless it is
 * restricted to Premium. `reason` is the result of `getPremiumReason`.
 */
export function canStreamFull(
  actor: PlanHolder,
  hasPreview: boolean,
  reason: Restriction | null,
): boolean {
  return hasFullAccess(actor) || (!hasPreview && !reason)
}

/** Whether a feature is switched on for this person. Always true for admins, so that they can test it first. */
export function canUseFeature(
  actor: PlanHolder & Pick<Actor, 'subscription_tier'>,
  audience: FeatureAudience,
): boolean {
  if (audience === 'everyone' || actor.role === 'admin') return true
  if (audience === 'nobody' || !isPremium(actor.subscription_status)) return false
  return audience === 'premium' || actor.subscription_tier === 'yearly'
}

/** Whether spots (the owner's announcements) play between this person's tracks. True without Premium. */
export function hasSpots(actor: PlanHolder): boolean {
  return !hasFullAccess(actor)
}

/**
 * Whether this person may play a spot's audio: anyone who gets spots, and admins, who listen to them in the back
 * office.
 */
export function canPlaySpots(actor: PlanHolder): boolean {
  return hasSpots(actor) || actor.role === 'admin'
}

/** Whether the plan includes daily mixes. */
export function hasDailyMixes(actor: PlanHolder): boolean {
  return hasFullAccess(actor)
}

export function getStreamQuality(actor: PlanHolder): 'standard' | 'high' {
  return hasFullAccess(actor) ? 'high' : 'standard'
}

type StreamLimits = Pick<LiveSettings, 'streams_free' | 'streams_premium'>

/** Maximum number of devices that may play concurrently. */
export function getStreamLimit(actor: PlanHolder, settings: StreamLimits): number {
  return hasFullAccess(actor) ? settings.streams_premium : settings.streams_free
}

/**
 * The number of devices that could play concurrently with Premium. Null if the person has Premium, or if Premium does
 * not raise the limit.
 */
export function getPremiumStreamLimit(actor: PlanHolder, settings: StreamLimits): number | null {
  const { streams_free, streams_premium } = settings
  return hasFullAccess(actor) || streams_premium <= streams_free ? null : streams_premium
}

/** Maximum number of playlists; Infinity for no limit. The limit depends on the plan alone, not on the role. */
export function getPlaylistLimit(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.playlists
}

/** Maximum number of tracks per playlist; Infinity for no limit. */
export function getTrackLimit(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.tracks_per_playlist
}

/**
 * Whether this person may play offline. This depends on the plan alone, not on the role, and ends with the
 * subscription.
 */
export function canPlayOffline(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status)
}
