// Determines the seed tracks of a radio station: the tracks to which similar ones are played.
import { sql } from 'kysely'
import type { RadioSeed } from '#contract/play-context.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { findArtistId } from '../artists/artist-operations.ts'
import { isReadableBy } from '../playlists/playlist-access.ts'
import { matchesIdOrSlug } from '../releases/release-operations.ts'
import { isVisibleRelease } from '../releases/release-query.ts'
import { smartTrackIds } from '../smart-playlists/smart-tracks.ts'

/** Maximum number of seed tracks taken from a playlist, release or artist. */
const maxSeeds = 20

export interface Seeds {
  title: string
  seedIds: string[]
}

export async function readSeeds(ctx: MemberContext, seed: RadioSeed): Promise<Seeds> {
  switch (seed.kind) {
    case 'track':
      return readTrackSeeds(ctx, seed.id)
    case 'playlist':
      return readPlaylistSeeds(ctx, seed.id)
    case 'likes':
      return { title: 'Radio: from your likes', seedIds: await readLikes(ctx) }
    case 'artist':
      return seed.id === undefined
        ? readArtistLineSeeds(ctx, seed.name ?? '')
        : readArtistSeeds(ctx, seed.id)
    case 'release': {
      const { title, trackIds } = await readReleaseTracks(ctx, seed.id)
      return { title: `Radio: similar to ${title}`, seedIds: trackIds }
    }
  }
}

async function readTrackSeeds({ db }: MemberContext, id: string): Promise<Seeds> {
  const found = await db.query
    .selectFrom('tracks')
    .select('title')
    .where('id', '=', id)
    .where('is_published', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('track_not_found')
  return { title: `Radio: similar to ${found.title}`, seedIds: [id] }
}

/** Takes evenly spaced tracks from the whole playlist, so that the same playlist always gives the same seeds. */
async function readPlaylistSeeds(ctx: MemberContext, id: string): Promise<Seeds> {
  const found = await ctx.db.query
    .selectFrom('playlists')
    .select(['title', 'rules'])
    .where('id', '=', id)
    .where(isReadableBy(ctx.actor.user_id))
    .executeTakeFirst()
  if (!found) throw new AppError('playlist_not_found')
  const title = `Radio: similar to ${found.title}`
  if (found.rules) {
    const reader = { userId: ctx.actor.user_id, now: ctx.now() }
    const limit = Math.min(found.rules.limit, maxSeeds)
    return { title, seedIds: await smartTrackIds(ctx.db, { ...found.rules, limit }, reader) }
  }
  const rows = await ctx.db.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select('t.id')
    .where('e.playlist_id', '=', id)
    .where('t.is_published', '=', true)
    .orderBy(sql`md5(e.id::text)`)
    .limit(maxSeeds)
    .execute()
  return { title, seedIds: rows.map((row) => row.id) }
}

/** The tracks that the member liked last. */
async function readLikes({ db, actor }: MemberContext): Promise<string[]> {
  const rows = await db.query
    .selectFrom('likes as l')
    .innerJoin('tracks as t', 't.id', 'l.track_id')
    .select('t.id')
    .where('l.user_id', '=', actor.user_id)
    .where('t.is_published', '=', true)
    .orderBy('l.created_at', 'desc')
    .orderBy('t.id')
    .limit(maxSeeds)
    .execute()
  return rows.map(({ id }) => id)
}

/** The newest published tracks on which the artist performs. */
async function readArtistSeeds({ db }: MemberContext, idOrSlug: string): Promise<Seeds> {
  const id = await findArtistId(db, idOrSlug)
  const { rows } = await sql<{ id: string; name: string }>`
    select t.id, a.name from artists a join tracks t on t.is_published and t.id in (
             select c.track_id from track_credits c
              where c.artist_id = a.id and c.role in ('main', 'featured', 'remixer', 'performer'))
     where a.id = ${id} order by t.created_at desc, t.id limit ${maxSeeds}`.execute(db.query)
  const [first] = rows
  if (!first) throw new AppError('artist_not_found')
  return { title: `Radio: similar to ${first.name}`, seedIds: rows.map((row) => row.id) }
}

async function readArtistLineSeeds({ db }: MemberContext, name: string): Promise<Seeds> {
  const rows = await db.query
    .selectFrom('tracks')
    .select('id')
    .where('artist', '=', name)
    .where('is_published', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxSeeds)
    .execute()
  if (rows.length === 0) throw new AppError('track_not_found')
  return { title: `Radio: similar to ${name}`, seedIds: rows.map(({ id }) => id) }
}

/** The first published tracks of a published release. Throws `release_not_found`. */
export async function readReleaseTracks(
  { db }: MemberContext,
  address: string,
): Promise<{ title: string; trackIds: string[] }> {
  const rows = await db.query
    .selectFrom('releases as r')
    .innerJoin('release_tracks as e', 'e.release_id', 'r.id')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select(['r.title', 't.id'])
    .where(matchesIdOrSlug(address))
    .where(isVisibleRelease)
    .where('t.is_published', '=', true)
    .orderBy('e.disc')
    .orderBy('e.position')
    .limit(maxSeeds)
    .execute()
  const [first] = rows
  if (!first) throw new AppError('release_not_found')
  return { title: first.title, trackIds: rows.map(({ id }) => id) }
}
