// What a plan lets a person do. The only place that decides it: operations ask here and nowhere else.
import { freeLimits, isPremium } from '#contract/plans.ts'
import type { Actor } from '../http/context.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'

type PlanHolder = Pick<Actor, 'role' | 'subscription_status'>

/** Whether this person may hear whole tracks: Premium, and the admins who run the place. */
function hearsEverything(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status) || actor.role === 'admin'
}

/** A track without a preview plays whole for every member: there is nothing less to give. */
export function mayStreamFull(actor: PlanHolder, hasPreview: boolean): boolean {
  return !hasPreview || hearsEverything(actor)
}

export function qualityFor(actor: PlanHolder): 'standard' | 'high' {
  return hearsEverything(actor) ? 'high' : 'standard'
}

type StreamLimits = Pick<LiveSettings, 'streams_free' | 'streams_premium'>

/** On how many devices a person may play at once. */
export function streamLimitFor(actor: PlanHolder, settings: StreamLimits): number {
  return hearsEverything(actor) ? settings.streams_premium : settings.streams_free
}

/** What Premium would allow; null for those who have it, and where it is no more. */
export function premiumStreamLimit(actor: PlanHolder, settings: StreamLimits): number | null {
  const { streams_free, streams_premium } = settings
  return hearsEverything(actor) || streams_premium <= streams_free ? null : streams_premium
}

/** Playlists a person may own; Infinity for no limit. The free limit goes by the plan alone, not by the role. */
export function playlistLimitFor(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.playlists
}

/** Tracks that each of the person's playlists may hold; Infinity for no limit. */
export function trackLimitFor(actor: PlanHolder): number {
  return isPremium(actor.subscription_status) ? Infinity : freeLimits.tracks_per_playlist
}

/** Keeping music on a device goes by the plan alone, like the limits: it ends with the subscription. */
export function mayKeepOffline(actor: PlanHolder): boolean {
  return isPremium(actor.subscription_status)
}
