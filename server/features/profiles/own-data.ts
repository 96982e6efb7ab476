// Exports all data that the service stores about a member. Only the member can request it. Passwords, tokens and
// recovery codes are not included. Long lists are read page by page, so that a slow download does not hold a database
// connection.
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MemberContext } from '../../platform/operations/context.ts'
import { streamJson } from '../../platform/http/stream-json.ts'
import { readOwnRows } from './own-rows.ts'

const pageRows = 1000

/** Streams the export as JSON. The file is named `velour-data-{milliseconds since 1970}.json`. */
export async function downloadMyData(
  ctx: MemberContext,
  _input: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [profile, subscription] = await Promise.all([readProfile(ctx), readSubscription(ctx)])
  const now = ctx.now()
  const data = streamJson({
    exported_at: now.toISOString(),
    profile,
    subscription,
    cancellations: readCancellations(ctx),
    payments: readPayments(ctx),
    receipts: readReceipts(ctx),
    terms_consents: readTermsConsents(ctx),
    news_consents: readNewsConsents(ctx),
    followed_artists: readFollowedArtists(ctx),
    support: readSupport(ctx),
    spots: readSpotShows(ctx),
    sessions: readSessions(ctx),
    known_devices: readKnownDevices(ctx),
    device_keys: readDeviceKeys(ctx),
    access_tokens: readAccessTokens(ctx),
    playlists: readPlaylists(ctx),
    shared_playlists: readSharedPlaylists(ctx),
    likes: readLikes(ctx),
    liked_releases: readLikedReleases(ctx),
    plays: readPlays(ctx),
    ...readOwnRows(ctx),
  })
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="velour-data-${now.getTime()}.json"`)
    .header('cache-control', 'no-store')
    .send(data)
}

async function* readTermsConsents({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('terms_consents')
    .select(['number as version', 'consented_at', 'way'])
    .where('user_id', '=', actor.user_id)
    .orderBy('number')
    .execute()
}

async function* readNewsConsents({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('news_consents')
    .select(['kind', 'choice', 'way', 'created_at'])
    .where('user_id', '=', actor.user_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function* readFollowedArtists({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('followed_artists as f')
    .innerJoin('artists as a', 'a.id', 'f.artist_id')
    .select(['a.name', 'f.created_at as followed_at'])
    .where('f.user_id', '=', actor.user_id)
    .orderBy('a.name')
    .execute()
}

async function* readSupport({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('support_messages as m')
    .innerJoin('support_threads as t', 't.id', 'm.thread_id')
    .select(['t.subject', 't.state', 'm.is_answer', 'm.text', 'm.created_at'])
    .where('t.user_id', '=', actor.user_id)
    .orderBy('t.created_at')
    .orderBy('m.created_at')
    .execute()
}

function readSpotShows(ctx: MemberContext): AsyncGenerator {
  return readPages(
    ctx,
    (after) =>
      sql`
      select h.id, s.title, h.started_at, h.finished_at, h.clicked_at, h.started_at::text as cursor_at
        from spot_shows h left join spots s on s.id = h.spot_id
       where h.user_id = ${ctx.actor.user_id} and (h.started_at, h.id) > ${after}
       order by h.started_at, h.id limit ${pageRows}`,
  )
}

function readProfile({ db, actor }: MemberContext) {
  return db.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select([
      'p.id',
      'p.email',
      'p.email_verified',
      'p.display_name',
      'p.avatar_url',
      'r.role',
      'p.subscription_tier',
      'p.subscription_status',
      'p.subscription_ends_at',
      'p.two_factor_enabled',
      'p.deletion_requested_at',
      'p.created_at',
      'p.updated_at',
    ])
    .where('p.id', '=', actor.user_id)
    .executeTakeFirstOrThrow()
}

async function readSubscription({ db, actor }: MemberContext) {
  const row = await db.query
    .selectFrom('subscriptions')
    .select([
      'payment_method',
      'is_manual',
      'starts_at',
      'notes',
      'stripe_customer_id',
      'stripe_subscription_id',
      'created_at',
      'updated_at',
    ])
    .where('user_id', '=', actor.user_id)
    .executeTakeFirst()
  return row ?? null
}

async function* readCancellations({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('stripe_subscriptions')
    .select([
      'cancel_asked_at as canceled_at',
      'cancel_feedback as reason',
      'cancel_comment as comment',
    ])
    .where('user_id', '=', actor.user_id)
    .where('cancel_asked_at', 'is not', null)
    .orderBy('cancel_asked_at')
    .execute()
}

async function* readPayments({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('payments')
    .select(['id', 'amount_cents', 'currency', 'payment_method', 'tier', 'paid_at'])
    .where('user_id', '=', actor.user_id)
    .where('is_simulated', '=', false)
    .orderBy('paid_at')
    .execute()
}

async function* readReceipts({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('receipts')
    .select(['number', 'payment_id', 'voids', 'amount_cents', 'currency', 'description'])
    .where('user_id', '=', actor.user_id)
    .orderBy('number')
    .execute()
}

async function* readSessions({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('sessions')
    .select(['id', 'created_at', 'updated_at', 'expires_at', 'ip_address', 'user_agent'])
    .where('user_id', '=', actor.user_id)
    .orderBy('created_at')
    .execute()
}

async function* readKnownDevices({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('known_devices')
    .select(['name', 'first_seen_at', 'seen_at'])
    .where('user_id', '=', actor.user_id)
    .orderBy('first_seen_at')
    .execute()
}

async function* readDeviceKeys({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('device_keys')
    .select(['name', 'created_at', 'last_used_at', 'last_client', 'last_network'])
    .where('user_id', '=', actor.user_id)
    .orderBy('created_at')
    .execute()
}

async function* readAccessTokens({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('access_tokens')
    .select(['name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'last_network'])
    .where('user_id', '=', actor.user_id)
    .orderBy('created_at')
    .execute()
}

async function* readPlaylists(ctx: MemberContext): AsyncGenerator {
  const playlists = readPages(
    ctx,
    (after) =>
      sql`
      select id, title, description, is_public, rules, created_at, updated_at, created_at::text as cursor_at
        from playlists
       where created_by = ${ctx.actor.user_id} and not is_curated and (created_at, id) > ${after}
       order by created_at, id limit ${pageRows}`,
  )
  for await (const playlist of playlists) {
    yield { ...playlist, tracks: readPlaylistTracks(ctx, playlist.id) }
  }
}

async function* readPlaylistTracks({ db }: MemberContext, playlistId: string): AsyncGenerator {
  for (let next = 0; ; next += pageRows) {
    const rows = await db.query
      .selectFrom('playlist_tracks as p')
      .innerJoin('tracks as t', 't.id', 'p.track_id')
      .select([
        'p.order_index',
        't.id as track_id',
        nameOf('title').as('title'),
        nameOf('artist').as('artist'),
        't.deleted_at',
        'p.created_at as added_at',
      ])
      .where('p.playlist_id', '=', playlistId)
      .where('p.order_index', '>=', next)
      .where('p.order_index', '<', next + pageRows)
      .orderBy('p.order_index')
      .execute()
    for (const { deleted_at, ...row } of rows) if (deleted_at === null) yield row
    // The positions of a playlist have no gaps, so a page that is not full is the last one.
    if (rows.length < pageRows) return
  }
}

/**
 * Selects a column of the track `t`. Null while the track waits for its release date, because its title and artist are
 * not public yet.
 */
function nameOf(column: 'title' | 'artist') {
  return sql<string | null>`case when t.is_published or (t.release_at is null and not exists (
    select from release_tracks e join releases r on r.id = e.release_id
     where e.track_id = t.id and r.release_at is not null)) then ${sql.ref(`t.${column}`)} end`
}

async function* readSharedPlaylists({ db, actor }: MemberContext): AsyncGenerator {
  yield* await db.query
    .selectFrom('playlist_members as m')
    .innerJoin('playlists as p', 'p.id', 'm.playlist_id')
    .select(['p.id', 'p.title', 'm.role', 'm.joined_at'])
    .where('m.user_id', '=', actor.user_id)
    .orderBy('m.joined_at')
    .execute()
}

function readLikes(ctx: MemberContext): AsyncGenerator {
  return readPages(
    ctx,
    (after) =>
      sql`
      select t.id, ${nameOf('title')} as title, ${nameOf('artist')} as artist, l.created_at as liked_at, l.created_at::text as cursor_at
        from likes l join tracks t on t.id = l.track_id
       where l.user_id = ${ctx.actor.user_id} and t.deleted_at is null and (l.created_at, l.track_id) > ${after}
       order by l.created_at, l.track_id limit ${pageRows}`,
  )
}

function readLikedReleases(ctx: MemberContext): AsyncGenerator {
  return readPages(
    ctx,
    (after) =>
      sql`
      select r.id, case when r.release_at is null then r.title end as title,
             case when r.release_at is null then r.artist end as artist,
             l.created_at as liked_at, l.created_at::text as cursor_at
        from release_likes l join releases r on r.id = l.release_id
       where l.user_id = ${ctx.actor.user_id} and r.deleted_at is null and (l.created_at, l.release_id) > ${after}
       order by l.created_at, l.release_id limit ${pageRows}`,
  )
}

function readPlays(ctx: MemberContext): AsyncGenerator {
  return readPages(
    ctx,
    (after) =>
      sql`
      select p.id, p.track_id, ${nameOf('title')} as title, ${nameOf('artist')} as artist, p.is_preview, p.started_at, p.heard_seconds, p.completed,
             p.reported_at::text as cursor_at
        from plays p join tracks t on t.id = p.track_id
       where p.user_id = ${ctx.actor.user_id} and t.deleted_at is null and (p.reported_at, p.id) > ${after}
       order by p.reported_at, p.id limit ${pageRows}`,
  )
}

/**
 * A row of a list that is ordered by timestamp and id. The timestamp is text, because JavaScript dates have no
 * microseconds.
 */
interface Row {
  id: string
  cursor_at?: string
}

async function* readPages(
  { db }: MemberContext,
  page: (after: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): AsyncGenerator<Row> {
  let at = '-infinity'
  let id = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await page(sql`(${at}::timestamptz, ${id}::uuid)`).execute(db.query)
    for (const { cursor_at, ...row } of rows as Row[]) {
      yield row
      if (cursor_at) at = cursor_at
      id = row.id
    }
    if (rows.length < pageRows) return
  }
}
