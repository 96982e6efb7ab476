// Following artists. New releases of followed artists appear in the member's news.
import { sql, type RawBuilder } from 'kysely'
import { maxFollowedArtists } from '#contract/artists.ts'
import type * as contract from '#contract/artists.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { hasPublishedTrack } from './artist-query.ts'

/** Whether this member follows the artist `a`. */
export function isFollowed(userId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from followed_artists f where f.artist_id = a.id and f.user_id = ${userId})`
}

export async function followArtist(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.followArtist>,
): Promise<void> {
  const user_id = ctx.actor.user_id
  await transaction(ctx.db, async (trx) => {
    // The lock on the member's row serializes concurrent calls: the second one counts the row that the first inserted.
    await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('id', '=', user_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const artist = await trx.query
      .selectFrom('artists as a')
      .select('a.id')
      .where('a.id', '=', id)
      .where(hasPublishedTrack)
      .forKeyShare()
      .executeTakeFirst()
    if (!artist) throw new AppError('artist_not_found')
    const inserted = await trx.query
      .insertInto('followed_artists')
      .values({ user_id, artist_id: id, created_at: ctx.now().toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('artist_id')
      .executeTakeFirst()
    if (!inserted) return
    const { count } = await trx.query
      .selectFrom('followed_artists')
      .select(sql<number>`count(*)`.as('count'))
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    if (count > maxFollowedArtists) throw new AppError('follow_limit_reached')
    await notify(trx, 'follows', user_id)
  })
}

/** Unfollows an artist. Does nothing if the member does not follow the artist. */
export async function unfollowArtist(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.unfollowArtist>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const deleted = await trx.query
      .deleteFrom('followed_artists')
      .where('user_id', '=', ctx.actor.user_id)
      .where('artist_id', '=', id)
      .returning('artist_id')
      .executeTakeFirst()
    if (deleted) await notify(trx, 'follows', ctx.actor.user_id)
  })
}
