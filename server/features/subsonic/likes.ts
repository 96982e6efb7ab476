// Likes and ratings in the Subsonic API. Likes are shared with the web app.
import { sql } from 'kysely'
import { likeRelease, unlikeRelease } from '#contract/releases.ts'
import { likeTrack, unlikeTrack } from '#contract/tracks.ts'
import { isAvailable } from '../availability/availability.ts'
import * as releases from '../releases/release-operations.ts'
import * as tracks from '../tracks/track-operations.ts'
import { findArtist } from './browsing.ts'
import { parseItemId } from './item-ids.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { notFound, SubsonicError } from './subsonic-error.ts'

type Item = NonNullable<ReturnType<typeof parseItemId>>

/** Maximum number of ids in a request. More would block the server for too long. */
const maxItems = 1000

export const star: CallHandler = async (call) => {
  for (const item of readItems(call)) await like(call, item, true)
  return {}
}
export const unstar: CallHandler = async (call) => {
  for (const item of readItems(call)) await like(call, item, false)
  return {}
}

/** Reads the ids of a request. The id's prefix determines the kind, regardless of the parameter's name. */
function readItems({ parameters }: SubsonicCall): Item[] {
  const ids = ['id', 'albumId', 'artistId'].flatMap((name) => parameters.all(name))
  if (ids.length === 0) {
    throw new SubsonicError('missing_parameter', 'Required parameter is missing: id')
  }
  return ids.slice(0, maxItems).map((id) => {
    const item = parseItemId(id)
    if (!item || item.kind === 'playlist' || item.kind === 'cover') throw notFound('Item')
    return item
  })
}

async function like(call: SubsonicCall, { kind, uuid }: Item, isLiked: boolean): Promise<void> {
  const { ctx, services, request } = call
  const caller = { request, actor: ctx.actor }
  const input = { params: { id: uuid } }
  if (kind === 'artist') return likeArtist(call, uuid, isLiked)
  if (kind === 'album' && (await isRelease(call, uuid))) {
    const [operation, run] = isLiked
      ? ([likeRelease, releases.likeRelease] as const)
      : ([unlikeRelease, releases.unlikeRelease] as const)
    await services.callOperation(operation, run, caller, input)
    return
  }
  // Liking a single likes its song.
  const [operation, run] = isLiked
    ? ([likeTrack, tracks.likeTrack] as const)
    : ([unlikeTrack, tracks.unlikeTrack] as const)
  await services.callOperation(operation, run, caller, input)
  services.browse.evictLikes(ctx.actor.user_id)
}

async function isRelease({ ctx }: SubsonicCall, uuid: string): Promise<boolean> {
  const row = await ctx.db.query
    .selectFrom('releases')
    .select('id')
    .where('id', '=', uuid)
    .executeTakeFirst()
  return row !== undefined
}

async function likeArtist({ ctx }: SubsonicCall, uuid: string, isLiked: boolean): Promise<void> {
  const { user_id } = ctx.actor
  if (!isLiked) {
    await ctx.db.query
      .deleteFrom('artist_likes')
      .where('user_id', '=', user_id)
      .where('artist_id', '=', uuid)
      .execute()
    return
  }
  const { id } = await findArtist(ctx, uuid)
  await ctx.db.query
    .insertInto('artist_likes')
    .values({ user_id, artist_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Saves a rating. A rating of 0 removes it. */
export const setRating: CallHandler = async ({ ctx, parameters }) => {
  const item = parseItemId(parameters.required('id'))
  if (!item || item.kind === 'playlist' || item.kind === 'cover') throw notFound('Item')
  parameters.required('rating')
  const rating = parameters.integer('rating', { or: 0, min: 0, max: 5 })
  const { user_id } = ctx.actor
  if (rating === 0) {
    await ctx.db.query
      .deleteFrom('app_ratings')
      .where('user_id', '=', user_id)
      .where('item_id', '=', item.uuid)
      .execute()
    return {}
  }
  await requireItem(ctx, item)
  await ctx.db.query
    .insertInto('app_ratings')
    .values({ user_id, item_id: item.uuid, rating })
    .onConflict((conflict) => conflict.columns(['user_id', 'item_id']).doUpdateSet({ rating }))
    .execute()
  return {}
}

/** Throws an error unless the item exists, so that invented ids cannot fill the table. */
async function requireItem(ctx: SubsonicCall['ctx'], { kind, uuid }: Item): Promise<void> {
  if (kind === 'artist') return void (await findArtist(ctx, uuid))
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (select from tracks t where t.id = ${uuid}::uuid and ${isAvailable('t')})
        or exists (select from releases r where r.id = ${uuid}::uuid and ${isAvailable('r')}) as is_there`.execute(
    ctx.db.query,
  )
  if (!rows[0]?.is_there) throw notFound('Item')
}
