// Tracks which players of an account are playing. Invariant: only one player per device holds a place, and no more
// devices than the plan allows. Taking a place locks the person's row, so the invariant also holds for concurrent
// starts. The newest players keep their places. Displaced players are notified on commit; one that misses the event is
// rejected at its next heartbeat or audio request.
import { sql } from 'kysely'
import type { ParsedInput } from '#contract/endpoint.ts'
import { heartbeatTimeoutSeconds, type PlayCap } from '#contract/playing.ts'
import type * as contract from '#contract/playing.ts'
import { getPremiumStreamLimit, getStreamLimit } from '../billing/entitlements.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor, MemberContext } from '../../platform/operations/context.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import type { PlayerPlaces } from './player-places.ts'

export interface PlayingServices {
  settings: Pick<SettingsCache, 'current'>
  places: PlayerPlaces
}

interface PlaceHolder {
  player_id: string
  /** The id of the device. A player without a device id counts as its own device. */
  device: string
  /** False if the player has sent no heartbeat for so long that its place counts as free. */
  is_live: boolean
}

/**
 * The `started_at` of a player that requests audio but never reported a start. It is older than any real start, so this
 * player is displaced first.
 */
const neverStarted = new Date(0).toISOString()

/** How long a displaced player's row is kept and its requests are rejected. */
const displacedLifetimeMs = 24 * 3_600_000
/** Maximum number of rows per person, so that invented player ids cannot fill the table. */
const maxStoredPlayers = 100

export async function startPlaying(
  services: PlayingServices,
  ctx: MemberContext,
  {
    params: { player_id },
    query: { device_id },
  }: Pick<ParsedInput<typeof contract.startPlaying>, 'params' | 'query'>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, ctx.actor)
    const others = await readOtherHolders(ctx, trx, player_id)
    await takePlace(services, ctx, trx, { player_id, device_id }, others)
  })
}

/** Handles a heartbeat. Each playing client sends one every ten seconds, so the normal case is a single statement. */
export async function keepPlaying(
  services: PlayingServices,
  ctx: MemberContext,
  {
    params: { player_id },
    query: { device_id },
  }: Pick<ParsedInput<typeof contract.keepPlaying>, 'params' | 'query'>,
): Promise<void> {
  const device = device_id ?? player_id
  const limit = getStreamLimit(ctx.actor, services.settings.current())
  if (await renewPlace(ctx, player_id, limit)) return
  // The player was silent for too long or was displaced, or the plan now allows fewer devices.
  const refusal = await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, ctx.actor)
    const others = await readOtherHolders(ctx, trx, player_id)
    const live = others.filter(({ is_live }) => is_live)
    const hasTwin = live.some((other) => other.device === device)
    if (!hasTwin && listOtherDevices(live, device).size < limit) {
      await takePlace(services, ctx, trx, { player_id, device_id }, others)
      return null
    }
    await displace(services, ctx, trx, [{ player_id }])
    return createPlayingElsewhereError(services, ctx.actor, hasTwin)
  })
  if (refusal) throw refusal
}

/**
 * Gives a place to a player that requests audio but never reported a start. Returns false if no place is free or the
 * player was displaced.
 */
export async function takeFreePlace(
  services: PlayingServices,
  ctx: MemberContext,
  player_id: string,
): Promise<boolean> {
  const limit = getStreamLimit(ctx.actor, services.settings.current())
  return transaction(ctx.db, async (trx) => {
    await lockPerson(trx, ctx.actor)
    // The player's start may have been processed while this request waited for the lock.
    const mine = await readOwn(ctx, trx, player_id)
    if (mine) return mine.displaced_at === null
    const others = await readOtherHolders(ctx, trx, player_id)
    const live = others.filter(({ is_live }) => is_live)
    if (listOtherDevices(live, player_id).size >= limit) return false
    await takePlace(services, ctx, trx, { player_id, started_at: neverStarted }, others)
    return true
  })
}

export async function stopPlaying(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.stopPlaying>,
): Promise<void> {
  await ctx.db.query
    .deleteFrom('players')
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '=', params.player_id)
    // Do not update a displaced player: it stays rejected until it takes a place again.
    .where('displaced_at', 'is', null)
    .execute()
}

/** Extends the place of a Subsonic app, which sends no heartbeats, until the end of its current song. */
export async function extendPlace(
  services: PlayingServices,
  ctx: MemberContext,
  playerId: string,
  seconds: number,
): Promise<void> {
  const beyondMs = Math.max(0, seconds - heartbeatTimeoutSeconds) * 1000
  await ctx.db.query
    .updateTable('players')
    .set({ seen_at: new Date(ctx.now().getTime() + beyondMs).toISOString() })
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '=', playerId)
    .where('displaced_at', 'is', null)
    .execute()
  services.places.evict(ctx.actor.user_id)
}

export function createPlayingElsewhereError(
  services: PlayingServices,
  actor: Actor,
  isSameDevice = false,
): AppError {
  const settings = services.settings.current()
  const limit = getStreamLimit(actor, settings)
  const premium_limit = getPremiumStreamLimit(actor, settings)
  const details: PlayCap = {
    limit,
    ...(premium_limit !== null && { premium_limit }),
    ...(isSameDevice && { same_device: true }),
  }
  return new AppError('playing_elsewhere', { details })
}

export async function deleteUnusedPlayers(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - displacedLifetimeMs).toISOString()
  await db.query.deleteFrom('players').where('seen_at', '<', before).execute()
}

/** Locks a person's row, so that starts of the person's players run one after the other. */
async function lockPerson(trx: Transaction, actor: Actor): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', actor.user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Reads the person's other players that hold a place: first those that are playing, then silent ones, each group newest
 * first.
 */
async function readOtherHolders(
  ctx: MemberContext,
  trx: Transaction,
  mine: string,
): Promise<PlaceHolder[]> {
  return trx.query
    .selectFrom('players')
    .select(['player_id', (eb) => eb.fn.coalesce('device_id', 'player_id').as('device')])
    .select((eb) => eb('seen_at', '>', silentSince(ctx)).$castTo<boolean>().as('is_live'))
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '!=', mine)
    .where('displaced_at', 'is', null)
    .orderBy('is_live', 'desc')
    .orderBy('started_at', 'desc')
    .orderBy('player_id')
    .execute()
}

/** The devices of the person's other players, newest first. */
function listOtherDevices(others: readonly PlaceHolder[], mine: string): Set<string> {
  return new Set(others.map(({ device }) => device).filter((device) => device !== mine))
}

function silentSince(ctx: MemberContext): string {
  return new Date(ctx.now().getTime() - heartbeatTimeoutSeconds * 1000).toISOString()
}

/**
 * Renews a player's place after a heartbeat. Returns false if its device is not among the playing devices that the plan
 * allows.
 */
async function renewPlace(ctx: MemberContext, playerId: string, limit: number): Promise<boolean> {
  const renewed = await ctx.db.query
    .updateTable('players as mine')
    .set({ seen_at: ctx.now().toISOString() })
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '=', playerId)
    .where('displaced_at', 'is', null)
    .where('seen_at', '>', silentSince(ctx))
    .where(
      (eb) =>
        eb
          .selectFrom('players as newer')
          .select(({ fn }) =>
            fn
              .count<number>(fn.coalesce('newer.device_id', 'newer.player_id'))
              .distinct()
              .as('count'),
          )
          .whereRef('newer.user_id', '=', 'mine.user_id')
          .where('newer.displaced_at', 'is', null)
          .where('newer.seen_at', '>', silentSince(ctx))
          .whereRef('newer.started_at', '>', 'mine.started_at'),
      '<',
      limit,
    )
    .returning('player_id')
    .executeTakeFirst()
  return renewed !== undefined
}

/**
 * Gives a place to a player. Displaces other players of the same device, and players on devices beyond the plan's
 * limit.
 */
async function takePlace(
  services: PlayingServices,
  ctx: MemberContext,
  trx: Transaction,
  player: { player_id: string; device_id?: string | null | undefined; started_at?: string },
  others: readonly PlaceHolder[],
): Promise<void> {
  const { player_id, device_id = null } = player
  const { user_id } = ctx.actor
  const before = await readOwn(ctx, trx, player_id)
  const now = ctx.now().toISOString()
  const { started_at = now } = player
  const place = { device_id, started_at, seen_at: now, displaced_at: null }
  await trx.query
    .insertInto('players')
    .values({ user_id, player_id, ...place })
    .onConflict((conflict) => conflict.columns(['user_id', 'player_id']).doUpdateSet(place))
    .execute()
  if (!before) await deleteOldestPlayers(ctx, trx)
  trx.afterCommit(() => services.places.evict(user_id))
  // Other instances may have cached that this player was displaced.
  if (before?.displaced_at) await notify(trx, 'players', `${user_id}/`)

  const limit = getStreamLimit(ctx.actor, services.settings.current())
  const stay = new Set([...listOtherDevices(others, device_id ?? player_id)].slice(0, limit - 1))
  const leave = others.filter((other) => !stay.has(other.device))
  await displace(services, ctx, trx, leave)
}

async function readOwn(ctx: MemberContext, trx: Transaction, playerId: string) {
  return trx.query
    .selectFrom('players')
    .select('displaced_at')
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '=', playerId)
    .executeTakeFirst()
}

async function displace(
  services: PlayingServices,
  ctx: MemberContext,
  trx: Transaction,
  players: readonly Pick<PlaceHolder, 'player_id'>[],
): Promise<void> {
  if (players.length === 0) return
  const { user_id } = ctx.actor
  const displaced = await trx.query
    .updateTable('players')
    .set({ displaced_at: ctx.now().toISOString() })
    .where('user_id', '=', user_id)
    .where(
      'player_id',
      'in',
      players.map(({ player_id }) => player_id),
    )
    .where('displaced_at', 'is', null)
    .returning('player_id')
    .execute()
  for (const { player_id } of displaced) await notify(trx, 'players', `${user_id}/${player_id}`)
  if (displaced.length > 0) trx.afterCommit(() => services.places.evict(user_id))
}

async function deleteOldestPlayers(ctx: MemberContext, trx: Transaction): Promise<void> {
  const { user_id } = ctx.actor
  await trx.query
    .deleteFrom('players')
    .where('user_id', '=', user_id)
    .where('player_id', 'in', (eb) =>
      eb
        .selectFrom('players')
        .select('player_id')
        .where('user_id', '=', user_id)
        .orderBy(sql`displaced_at is null`, 'desc')
        .orderBy('seen_at', 'desc')
        .offset(maxStoredPlayers),
    )
    .execute()
}
