// What a plan allows. This is the only place that decides it: operations call these functions and have no rules of
// their own.
import { reaches } from '#contract/access.ts'
import { restrictionOf, type Restriction } from '#contract/fields/availability.ts'
import type { FeatureAudience } from '#contract/features.ts'
import { freeLimits, isPremium } from '#contract/plans.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'

type PlanHolder = Pick<Actor, 'role' | 'subscription_status'>

/**
 * Whether this person may play whole tracks, and open what is restricted: Premium members, and those who work on the
 * catalogue.
 */
export function hasFullAccess(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status) || reaches(actor.role, 'editor')
}

/** Why this person needs Premium for something in early access, or for Premium only; null if it is open to them. */
export function premiumReason(
  actor: PlanHolder,
  marks: Parameters<typeof restrictionOf>[0],
  now: Date,
): Restriction | null {
  return hasFullAccess(actor) ? null : restrictionOf(marks, now.getTime())
}

/**
 * A track without a preview plays in full for every member, because there is nothing shorter to serve. One that is
 * restricted does not: `reason` is what `premiumReason` returned.
 */
export function mayStreamFull(
  actor: PlanHolder,
  hasPreview: boolean,
  reason: Restriction | null,
): boolean {
  return hasFullAccess(actor) || (!hasPreview && !reason)
}

/** Whether a feature that is open to this audience is open to this person. Admins try everything first. */
export function mayUseFeature(
  actor: PlanHolder & Pick<Actor, 'subscription_tier'>,
  audience: FeatureAudience,
): boolean {
  if (audience === 'everyone' || actor.role === 'admin') return true
  if (audience === 'nobody' || !isPremium(actor.subscription_status)) return false
  return audience === 'premium' || actor.subscription_tier === 'yearly'
}

/** Messages of the owner come between the songs of those without Premium. */
export function getsSpots(actor: PlanHolder): boolean {
  return !hasFullAccess(actor)
}

/** Admins hear the sound of a spot in the back office. */
export function mayHearSpots(actor: PlanHolder): boolean {
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

/** The limit that Premium would have; null for people who have it, and if it is not higher. */
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
