// Reads the lists that a member can continue to play: playlists, releases and others that the member listened to and
// can still open.
import { sql, type Selectable } from 'kysely'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import { shelfLimit, type ContinueItem } from '#contract/home.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectArtistColumns, hasPublishedTrack } from '../artists/artist-query.ts'
import { isReadableBy } from '../playlists/playlist-access.ts'
import { selectPlaylists } from '../playlists/playlist-query.ts'
import { parseSeedRef } from '../plays/listening-contexts.ts'
import { selectReleases } from '../releases/release-query.ts'

type Saved = Pick<Selectable<Tables['listening_contexts']>, 'kind' | 'ref' | 'track_id'> & {
  title: string
}
type Shown = Omit<ContinueItem, 'track'>
/** Maps the saved `ref` of a list to its current title and cover. */
type ItemsByRef = ReadonlyMap<string, Shown>

const noCover = { cover_url: null, cover_tint: null, cover_placeholder: null, mosaic: [] }

export async function readContinueShelf(ctx: MemberContext): Promise<ContinueItem[]> {
  const saved = await readSaved(ctx)
  const refs = (kind: Saved['kind']) =>
    saved.filter((context) => context.kind === kind).map(({ ref }) => ref)
  const [playlist, release, artist, radio] = await Promise.all([
    readPlaylists(ctx, refs('playlist')),
    readReleases(ctx, refs('release')),
    readArtists(ctx, refs('artist')),
    readRadios(ctx, refs('radio')),
  ])
  const shown: Record<Saved['kind'], ItemsByRef> = { playlist, release, artist, radio, likes }
  return saved
    .flatMap(({ kind, ref, track_id, title }) => {
      const item = shown[kind].get(ref)
      return item ? [{ ...item, track: { id: track_id, title } }] : []
    })
    .slice(0, shelfLimit)
}

/** Reads the saved lists. More rows than are shown, because some lists can no longer be opened. */
function readSaved({ db, actor }: MemberContext): Promise<Saved[]> {
  return db.query
    .selectFrom('listening_contexts as c')
    .innerJoin('tracks as t', 't.id', 'c.track_id')
    .select(['c.kind', 'c.ref', 'c.track_id', 't.title'])
    .where('c.user_id', '=', actor.user_id)
    .where('t.is_published', '=', true)
    .orderBy('c.played_at', 'desc')
    .limit(2 * shelfLimit)
    .execute()
}

const likes: ItemsByRef = new Map([
  [
    '',
    {
      ...noCover,
      context: { kind: 'likes' },
      title: 'Liked',
      about: 'Your liked tracks',
      slug: null,
    },
  ],
])

async function readPlaylists(ctx: MemberContext, ids: string[]): Promise<ItemsByRef> {
  if (ids.length === 0) return new Map()
  const { user_id } = ctx.actor
  const chosen = ctx.db.query
    .selectFrom('playlists')
    .selectAll()
    .where('id', 'in', ids)
    .where(isReadableBy(user_id))
  const rows = await selectPlaylists(ctx.db, user_id, chosen).execute()
  return new Map(
    rows.map(({ id, title, cover_url, cover_tint, cover_placeholder, mosaic, is_curated }) => [
      id,
      {
        context: { kind: 'playlist', id },
        title,
        about: is_curated ? 'Curated playlist' : 'Playlist',
        slug: null,
        cover_url,
        cover_tint,
        cover_placeholder,
        mosaic,
      },
    ]),
  )
}

async function readReleases(ctx: MemberContext, ids: string[]): Promise<ItemsByRef> {
  if (ids.length === 0) return new Map()
  const rows = await selectReleases(ctx.db, ctx.actor.user_id).where('r.id', 'in', ids).execute()
  return new Map(
    rows.map(({ id, title, slug, kind, artist, cover_url, cover_tint, cover_placeholder }) => [
      id,
      {
        context: { kind: 'release', id },
        title,
        about: artist ? `${releaseKindLabels[kind]} by ${artist}` : releaseKindLabels[kind],
        slug,
        cover_url,
        cover_tint,
        cover_placeholder,
        mosaic: [],
      },
    ]),
  )
}

async function readArtists({ db }: MemberContext, ids: string[]): Promise<ItemsByRef> {
  if (ids.length === 0) return new Map()
  const rows = await selectArtistColumns(db)
    .where('a.id', 'in', ids)
    .where(hasPublishedTrack)
    .execute()
  return new Map(
    rows.map(({ id, name, slug, ...cover }) => [
      id,
      {
        context: { kind: 'artist', id },
        title: name,
        about: 'Artist',
        slug,
        ...cover,
        mosaic: [],
      },
    ]),
  )
}

/** Reads saved radio stations. Leaves out those whose seed track was deleted, because they can't be continued. */
async function readRadios(ctx: MemberContext, refs: string[]): Promise<ItemsByRef> {
  if (refs.length === 0) return new Map()
  const seeds = refs.map((ref) => ({ ref, seed: parseSeedRef(ref) }))
  const ids = seeds.flatMap(({ seed }) => ('id' in seed ? [seed.id] : []))
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from tracks where id = any(${ids}::uuid[]) and is_published
    union all
    ${ctx.db.query
      .selectFrom('playlists')
      .select(['id', 'title'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(isReadableBy(ctx.actor.user_id))}`.execute(ctx.db.query)
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return new Map(
    seeds.flatMap(({ ref, seed }) => {
      const title = formatSeedTitle(seed, titles)
      if (title === undefined) return []
      const about = seed.kind === 'likes' ? 'Radio' : 'Radio: similar tracks'
      return [[ref, { ...noCover, context: { kind: 'radio', seed }, title, about, slug: null }]]
    }),
  )
}

function formatSeedTitle(seed: RadioSeed, titles: ReadonlyMap<string, string>): string | undefined {
  if (seed.kind === 'likes') return 'From your likes'
  return seed.kind === 'artist' ? seed.name : titles.get(seed.id)
}
