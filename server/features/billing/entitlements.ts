// Entitlements of each plan. All decisions are made here: operations call these functions and have no rules of their own.
import { grantsAccess } from '#contract/access.ts'
import { getRestriction, type Restriction } from '#contract/fields/availability.ts'
import type { FeatureAudience } from '#contract/features.ts'
import { freeLimits, isPremium } from '#contract/plans.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'

type PlanHolder = Pick<Actor, 'role' | 'subscription_status'>

/**
 * Whether this person may play full tracks and open restricted content. True for Premium members, and for admins and editors.
 */
export function hasFullAccess(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status) || grantsAccess(actor.role, 'editor')
}

/** Why this person needs Premium for content in early access or for Premium only. Null if they have access. */
export function premiumReason(
  actor: PlanHolder,
  marks: Parameters<typeof getRestriction>[0],
  now: Date,
): Restriction | null {
  return hasFullAccess(actor) ? null : getRestriction(marks, now.getTime())
}

/**
 * A track without a preview plays in full for every member, because there is nothing shorter to serve. A restricted track does
 * not: `reason` is the result of `premiumReason`.
 */
export function mayStreamFull(
  actor: PlanHolder,
  hasPreview: boolean,
  reason: Restriction | null,
): boolean {
  return hasFullAccess(actor) || (!hasPreview && !reason)
}

/** Whether this person is in the audience of a feature. Admins always are, so that they can test it first. */
export function mayUseFeature(
  actor: PlanHolder & Pick<Actor, 'subscription_tier'>,
  audience: FeatureAudience,
): boolean {
  if (audience === 'everyone' || actor.role === 'admin') return true
  if (audience === 'nobody' || !isPremium(actor.subscription_status)) return false
  return audience === 'premium' || actor.subscription_tier === 'yearly'
}

/** Spots play between tracks for members without Premium. */
export function getsSpots(actor: PlanHolder): boolean {
  return !hasFullAccess(actor)
}

/** Admins can play a spot's audio in the back office. */
export function mayPlaySpots(actor: PlanHolder): boolean {
  return getsSpots(actor) || actor.role === 'admin'
}

/** Whether the plan includes daily mixes. */
export function getsMixes(actor: PlanHolder): boolean {
  return hasFullAccess(actor)
}

export function qualityFor(actor: PlanHolder): 'standard' | 'high' {
  return hasFullAccess(actor) ? 'high' : 'standard'
}

type StreamLimits = Pick<LiveSettings, 'streams_free' | 'streams_premium'>

/** Maximum number of devices that may play concurrently. */
export function streamLimitFor(actor: PlanHolder, settings: StreamLimits): number {
  return hasFullAccess(actor) ? settings.streams_premium : settings.streams_free
}

/** The limit with Premium. Null if the person has Premium, or if that limit is not higher. */
export function premiumStreamLimit(actor: PlanHolder, settings: StreamLimits): number | null {
  const { streams_free, streams_premium } = settings
  return hasFullAccess(actor) || streams_premium <= streams_free ? null : streams_premium
}

/** Maximum number of playlists; Infinity for no limit. It depends on the plan alone, not on the role. */
export function playlistLimitFor(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.playlists
}

/** Maximum number of tracks per playlist; Infinity for no limit. */
export function trackLimitFor(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.tracks_per_playlist
}

/** Offline use depends on the plan alone, like the limits: it ends with the subscription. */
export function mayKeepOffline(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status)
}
