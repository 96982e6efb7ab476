// Where an account plays. Invariant: never more live players than the plan allows, whatever happens at once: who
// takes a place holds the row of the person, and the newest stay. The words to the displaced are sent with the commit;
// a player that does not hear them is refused at its next sign of life, and at the next bytes it asks for.
import { sql } from 'kysely'
import type { ParsedInput } from '#contract/endpoint.ts'
import {
  silentAfterSeconds,
  type keepPlaying,
  type PlayCap,
  type startPlaying,
  type stopPlaying,
} from '#contract/playing.ts'
import { premiumStreamLimit, streamLimitFor } from '../billing/entitlements.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'
import { notify } from '../events/event-bus.ts'
import { AppError } from '../http/app-error.ts'
import type { Actor, MemberContext } from '../http/context.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import type { DisplacedPlayers } from './displaced-players.ts'

export interface PlayingServices {
  settings: Pick<SettingsCache, 'current'>
  displaced: DisplacedPlayers
}

/** A displaced player is remembered, and refused, for so long. */
const rememberedMs = 24 * 3_600_000
/** Made-up players must not fill the table. */
const mostRemembered = 100

export async function claimPlace(
  services: PlayingServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof startPlaying>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, ctx.actor)
    await takePlace(services, ctx, trx, params.player_id)
    const others = await liveOthers(ctx, trx, params.player_id)
    const limit = streamLimitFor(ctx.actor, services.settings.current())
    await displace(services, ctx, trx, others.slice(limit - 1))
  })
}

/** Every ten seconds from everybody who listens, so the usual case is one statement. */
export async function keepPlace(
  services: PlayingServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof keepPlaying>,
): Promise<void> {
  const { player_id } = params
  const limit = streamLimitFor(ctx.actor, services.settings.current())
  if (await renewPlace(ctx, player_id, limit)) return
  // Silent for long, or displaced, or the plan allows less than it did.
  const isKept = await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, ctx.actor)
    const others = await liveOthers(ctx, trx, player_id)
    if (others.length < limit) {
      await takePlace(services, ctx, trx, player_id)
      return true
    }
    await displace(services, ctx, trx, [player_id])
    return false
  })
  if (!isKept) throw playingElsewhere(services, ctx.actor)
}

export async function leavePlace(
  ctx: MemberContext,
  { params }: ParsedInput<typeof stopPlaying>,
): Promise<void> {
  await ctx.db.query
    .deleteFrom('players')
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '=', params.player_id)
    // What was displaced stays refused until it takes a place again.
    .where('displaced_at', 'is', null)
    .execute()
}

export function playingElsewhere(services: PlayingServices, actor: Actor): AppError {
  const settings = services.settings.current()
  const limit = streamLimitFor(actor, settings)
  const premium_limit = premiumStreamLimit(actor, settings)
  const details: PlayCap = { limit, ...(premium_limit !== null && { premium_limit }) }
  return new AppError('playing_elsewhere', { details })
}

export async function forgetPlayers(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - rememberedMs).toISOString()
  await db.query.deleteFrom('players').where('seen_at', '<', before).execute()
}

/** One person's players are counted one after the other. */
async function lockPerson(trx: Transaction, actor: Actor): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', actor.user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The newest first. */
async function liveOthers(ctx: MemberContext, trx: Transaction, mine: string): Promise<string[]> {
  const others = await trx.query
    .selectFrom('players')
    .select('player_id')
    .where('user_id', '=', ctx.actor.user_id)
    .where('player_id', '!=', mine)
    .where('displaced_at', 'is', null)
    .where('seen_at', '>', silentSince(ctx))
    .orderBy('started_at', 'desc')
    .orderBy('player_id')
    .execute()
  return others.map(({ player_id }) => player_id)
}

function silentSince(ctx: MemberContext): string {
  return new Date(ctx.now().getTime() - silentAfterSeconds * 1000).toISOString()
}

/** False: it is not among the live players that the plan allows. */
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
          .select((newer) => newer.fn.countAll<number>().as('count'))
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

async function takePlace(
  services: PlayingServices,
  ctx: MemberContext,
  trx: Transaction,
  playerId: string,
): Promise<void> {
  const user_id = ctx.actor.user_id
  const before = await trx.query
    .selectFrom('players')
    .select('displaced_at')
    .where('user_id', '=', user_id)
    .where('player_id', '=', playerId)
    .executeTakeFirst()
  const now = ctx.now().toISOString()
  const place = { started_at: now, seen_at: now, displaced_at: null }
  await trx.query
    .insertInto('players')
    .values({ user_id, player_id: playerId, ...place })
    .onConflict((conflict) => conflict.columns(['user_id', 'player_id']).doUpdateSet(place))
    .execute()
  if (!before) await forgetOldest(ctx, trx)
  if (!before?.displaced_at) return
  // Whoever remembers that it is refused has to forget it; here at once, before it asks for bytes.
  await notify(trx, 'players', `${user_id}/`)
  trx.afterCommit(() => services.displaced.forget(user_id))
}

async function displace(
  services: PlayingServices,
  ctx: MemberContext,
  trx: Transaction,
  playerIds: readonly string[],
): Promise<void> {
  if (playerIds.length === 0) return
  const { user_id } = ctx.actor
  const displaced = await trx.query
    .updateTable('players')
    .set({ displaced_at: ctx.now().toISOString() })
    .where('user_id', '=', user_id)
    .where('player_id', 'in', playerIds)
    .where('displaced_at', 'is', null)
    .returning('player_id')
    .execute()
  for (const { player_id } of displaced) await notify(trx, 'players', `${user_id}/${player_id}`)
  if (displaced.length > 0) trx.afterCommit(() => services.displaced.forget(user_id))
}

async function forgetOldest(ctx: MemberContext, trx: Transaction): Promise<void> {
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
        .offset(mostRemembered),
    )
    .execute()
}
