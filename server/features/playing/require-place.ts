// Audio requests require a player place. A player takes a place when it reports its start (playing-operations.ts), but
// some clients never do. Requests without a player id count as one anonymous player per account, which starts with its
// first request. A player whose start was never reported gets a place only while one is free, and any starting player
// displaces it first.
import { setTimeout as sleep } from 'node:timers/promises'
import { heartbeatSeconds, heartbeatTimeoutSeconds } from '#contract/playing.ts'
import type { Actor, MemberContext } from '../../platform/operations/context.ts'
import {
  startPlaying,
  keepPlaying,
  createPlayingElsewhereError,
  takeFreePlace,
  type PlayingServices,
} from './playing-operations.ts'
import type { CachedPlayer } from './player-places.ts'

/**
 * How long to wait for the start. A player reports its start and requests audio at the same time, so the request may
 * arrive first.
 */
const startDelayMs = 1500
const pollMs = 100

/**
 * Throws `playing_elsewhere` unless this player has or gets a place. If `playerId` is undefined, the account's
 * anonymous player is used.
 */
export async function requirePlace(
  services: PlayingServices,
  ctx: MemberContext,
  playerId: string | undefined,
): Promise<void> {
  if (playerId === undefined) return requireAnonymousPlace(services, ctx)
  const { places } = services
  const { user_id } = ctx.actor
  const latest = performance.now() + startDelayMs
  let player = await places.find(user_id, playerId)
  if (!player && (await takeFreePlace(services, ctx, playerId))) return
  while (!player || player.displaced_at !== null) {
    if (performance.now() > latest) throw createPlayingElsewhereError(services, ctx.actor)
    await sleep(pollMs)
    player = await places.findNow(user_id, playerId)
  }
  await renew(services, ctx, player)
}

/** Throws `playing_elsewhere` if this player was displaced. Does not change its place. */
export async function rejectDisplacedPlayer(
  services: PlayingServices,
  actor: Actor,
  playerId: string | undefined,
): Promise<void> {
  const player = await services.places.find(actor.user_id, playerId ?? getAnonymousPlayerId(actor))
  if (player && player.displaced_at !== null) throw createPlayingElsewhereError(services, actor)
}

/**
 * Renews the place of a player that receives audio but may send no heartbeats. Throws `playing_elsewhere` if the player
 * was displaced.
 */
export async function renewPlaceWhileSending(
  services: PlayingServices,
  ctx: MemberContext,
  playerId: string | undefined,
): Promise<void> {
  const player = await services.places.findNow(
    ctx.actor.user_id,
    playerId ?? getAnonymousPlayerId(ctx.actor),
  )
  if (!player) return
  if (player.displaced_at !== null) throw createPlayingElsewhereError(services, ctx.actor)
  await renew(services, ctx, player)
}

/**
 * Takes a place for a Subsonic app. Apps request songs ahead of playback and report plays in separate calls (decision
 * 79), so a request takes a place only while one is free and displaces no other player. Throws `playing_elsewhere` for
 * an app that was displaced less than the heartbeat timeout ago.
 */
export async function claimAppPlace(
  services: PlayingServices,
  ctx: MemberContext,
  playerId: string,
): Promise<void> {
  await rejectDisplacedApp(services, ctx, playerId)
  const player = await services.places.find(ctx.actor.user_id, playerId)
  if (!player) await takeFreePlace(services, ctx, playerId)
  else if (player.displaced_at === null) await renew(services, ctx, player)
}

/**
 * Throws `playing_elsewhere` if this app was displaced less than the heartbeat timeout ago. Does not change its place.
 */
export async function rejectDisplacedApp(
  services: PlayingServices,
  { actor, now }: Pick<MemberContext, 'actor' | 'now'>,
  playerId: string,
): Promise<void> {
  const player = await services.places.find(actor.user_id, playerId)
  if (!player?.displaced_at) return
  const seconds = (now().getTime() - Date.parse(player.displaced_at)) / 1000
  if (seconds < heartbeatTimeoutSeconds) throw createPlayingElsewhereError(services, actor)
}

async function requireAnonymousPlace(services: PlayingServices, ctx: MemberContext): Promise<void> {
  const { places } = services
  const { user_id } = ctx.actor
  const player_id = getAnonymousPlayerId(ctx.actor)
  const secondsSince = (time: string) => (ctx.now().getTime() - Date.parse(time)) / 1000
  const isLive = (player: CachedPlayer | null) =>
    player?.displaced_at === null && secondsSince(player.seen_at) < heartbeatTimeoutSeconds

  let player = await places.find(user_id, player_id)
  // Read the database, because another instance may have renewed the place since it was cached.
  if (!isLive(player)) player = await places.findNow(user_id, player_id)
  if (player && isLive(player)) return renew(services, ctx, player)
  // A displaced player soon requests its next range. This is not a new start.
  if (player?.displaced_at && secondsSince(player.displaced_at) < heartbeatTimeoutSeconds) {
    throw createPlayingElsewhereError(services, ctx.actor)
  }
  await startPlaying(services, ctx, { params: { player_id }, query: {} })
}

/** The id of an account's anonymous player: the user's id, which no tab uses as a player id. */
function getAnonymousPlayerId(actor: Actor): string {
  return actor.user_id
}

async function renew(
  services: PlayingServices,
  ctx: MemberContext,
  { player_id, device_id, seen_at }: CachedPlayer,
): Promise<void> {
  if (ctx.now().getTime() - Date.parse(seen_at) < heartbeatSeconds * 1000) return
  const query = device_id === null ? {} : { device_id }
  await keepPlaying(services, ctx, { params: { player_id }, query })
  services.places.evict(ctx.actor.user_id)
}
