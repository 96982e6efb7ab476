// Reads the shelves (rows of playlists, releases and artists) of a member's start screen.
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import { shelfLimit, type getHome } from '#contract/home.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectArtistColumns, artistShareUrl } from '../artists/artist-query.ts'
import { isVisibleRelease, selectReleases } from '../releases/release-query.ts'
import { readContinueShelf } from './continue-listening.ts'

type Home = Output<typeof getHome>

const newForDays = 90
/** A like counts as much as three plays, as in the daily mixes. */
const likeWeight = 3
const artistLikeWeight = 5
const followWeight = 10
const latestPlays = 200
const latestLikes = 100
const recentDays = 90

export async function readHome(ctx: MemberContext): Promise<Home> {
  const [continueItems, new_releases, artists] = await Promise.all([
    readContinueShelf(ctx),
    readNewReleases(ctx),
    readArtistShelf(ctx),
  ])
  return { continue: continueItems, new_releases, artists }
}

const daysAgo = ({ now }: MemberContext, days: number) =>
  new Date(now().getTime() - days * 86_400_000).toISOString()

function readNewReleases(ctx: MemberContext): Promise<Home['new_releases']> {
  const chosen = ctx.db.query
    .selectFrom('releases as r')
    .select('r.id')
    .where(isVisibleRelease)
    .where('r.released_on', '>', daysAgo(ctx, newForDays).slice(0, 10))
    .orderBy('r.released_on', 'desc')
    .orderBy('r.id', 'desc')
    .limit(shelfLimit)
  return selectReleases(ctx.db, ctx.actor.user_id)
    .where('r.id', 'in', ({ selectFrom }) => selectFrom(chosen.as('chosen')).select('chosen.id'))
    .orderBy('r.released_on', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
}

/**
 * The artists shelf: main and featured artists of tracks that the member likes or plays, and artists that the member
 * likes or follows.
 */
async function readArtistShelf(ctx: MemberContext): Promise<Home['artists']> {
  const me = ctx.actor.user_id
  const loved = sql<{ id: string; weight: number }>`(
    with counted as (
      (select track_id, 1 as weight from (
         select track_id, counted_at from plays
          where user_id = ${me} and reported_at > ${daysAgo(ctx, recentDays)}
          order by reported_at desc limit ${latestPlays}) latest
        where counted_at is not null)
      union all
      (select track_id, ${likeWeight}::int from likes
        where user_id = ${me} order by created_at desc limit ${latestLikes})
    )
    select artist_id as id, sum(weight)::int as weight from (
      select c.artist_id, counted.weight
        from counted join tracks t on t.id = counted.track_id and t.is_published
        join track_credits c on c.track_id = t.id and c.role in ('main', 'featured')
      union all
      select a.artist_id, ${artistLikeWeight}::int from artist_likes a
       where a.user_id = ${me} and exists (
         select from track_credits c join tracks t on t.id = c.track_id
          where c.artist_id = a.artist_id and t.is_published)
      union all
      select f.artist_id, ${followWeight}::int from followed_artists f
       where f.user_id = ${me} and exists (
         select from track_credits c join tracks t on t.id = c.track_id
          where c.artist_id = f.artist_id and t.is_published)
    ) credited group by artist_id order by weight desc, id limit ${shelfLimit})`
  return selectArtistColumns(ctx.db)
    .select(artistShareUrl.as('share_url'))
    .innerJoin(loved.as('loved'), 'loved.id', 'a.id')
    .orderBy('loved.weight', 'desc')
    .orderBy('a.id')
    .execute()
}
