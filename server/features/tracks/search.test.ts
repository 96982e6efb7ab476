// Search results and their order, over HTTP with a real PostgreSQL.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlaylists } from '#contract/playlists.ts'
import { foundTitles, otherTitles, rankedTitles } from '#contract/fields/search-cases.ts'
import { listTracks } from '#contract/tracks.ts'
import { encodeCursor } from '../../platform/operations/cursor.ts'
import { playlistRoutes } from '../playlists/playlist-routes.ts'
import { createFeatureApp, type FeatureApp, type Person } from '../../testing/feature-app.ts'
import { createBrowseLists } from '../browse/browse-lists.ts'
import { trackRoutes } from '../browse/track-routes.ts'

let app: FeatureApp
let member: Person

beforeAll(async () => {
  app = await createFeatureApp((route, given) => {
    trackRoutes(route, { browse: createBrowseLists(given.db, given.bus) })
    playlistRoutes(route, given.pictures)
  })
  member = await app.makePerson()
})

afterAll(() => app.close())

/** Replaces all tracks with these. The first one is the newest. */
async function publish(tracks: readonly { title: string; artist?: string; genre?: string }[]) {
  const { query } = app.db
  await query.deleteFrom('tracks').execute()
  for (const genre of new Set(tracks.flatMap((track) => track.genre ?? []))) {
    await query
      .insertInto('genres')
      .values({ name: genre })
      .onConflict((on) => on.doNothing())
      .execute()
  }
  if (tracks.length === 0) return
  await query
    .insertInto('tracks')
    .values(
      tracks.map(({ title, artist = 'Nobody', genre = null }, place) => ({
        title,
        artist,
        genre,
        is_published: true,
        processing_status: 'ready' as const,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, -place)).toISOString(),
      })),
    )
    .execute()
}

async function search(q: string, more: Record<string, string> = {}) {
  const { body } = await member.call(listTracks, { query: { q, ...more } })
  return {
    titles: body.data.map(({ title }) => title),
    total: body.total,
    cursor: body.next_cursor,
  }
}

test('ignores case and accents, and matches punctuation in titles', async () => {
  await publish([...foundTitles, ...otherTitles].map(([, title]) => ({ title })))
  for (const [q, title] of foundTitles) expect((await search(q)).titles, q).toContain(title)
  for (const [q, title] of otherTitles) expect((await search(q)).titles, q).not.toContain(title)
})

test('finds artist, category and genre without their accents', async () => {
  await publish([
    { title: 'One', artist: 'Björk' },
    { title: 'Two', genre: 'Música' },
    { title: 'Three', artist: 'AC/DC' },
  ])
  expect((await search('bjork')).titles).toEqual(['One'])
  expect((await search('musica')).titles).toEqual(['Two'])
  expect((await search('ac dc')).titles).toEqual(['Three'])
  // The words of a search must all be in one field.
  expect((await search('two nobody')).total).toBe(0)
})

test.each(rankedTitles)(
  '%s: lists the best match first, regardless of its age',
  async (q, titles) => {
    await publish(titles.toReversed().map((title) => ({ title })))
    expect((await search(q)).titles).toEqual(titles)
  },
)

const velvet = [
  { title: 'Other', artist: 'Nobody', genre: 'Velvet' },
  { title: 'Newest', artist: 'Velvet' },
  { title: 'Newer', artist: 'The Velvet Band' },
  { title: 'Blue velvet', artist: 'Nobody' },
  { title: 'Velvet Weather', artist: 'Velvet' },
  { title: 'Velvet Morning' },
  { title: 'velvet' },
]
const ranked = [
  'velvet',
  'Velvet Weather',
  'Velvet Morning',
  'Blue velvet',
  'Newest',
  'Newer',
  'Other',
]

test('ranks exact title, title prefix, word prefix and artist before other matches; newest first within a rank', async () => {
  await publish(velvet)
  expect(await search('VELVET')).toEqual({ titles: ranked, total: 7, cursor: null })
  expect((await search('velvet', { order: 'newest' })).titles).toEqual(
    velvet.map(({ title }) => title),
  )
  expect((await search('velvet', { order: 'title' })).titles[0]).toBe('Blue velvet')
})

test('pages of ranked matches contain every track once, even if tracks are added between requests', async () => {
  await publish(velvet)
  const seen: string[] = []
  let page = await search('velvet', { limit: '2' })
  expect(page.total).toBe(7)
  seen.push(...page.titles)
  await app.db.query
    .insertInto('tracks')
    .values({ title: 'Velvet', artist: 'x', is_published: true, processing_status: 'ready' })
    .execute()
  while (page.cursor) {
    page = await search('velvet', { limit: '2', cursor: page.cursor })
    expect(page.total).toBeNull()
    seen.push(...page.titles)
  }
  expect(seen).toEqual(ranked)
})

test('a cursor issued by an older server, which sorted newest first, keeps that order', async () => {
  await publish(velvet)
  const { rows } = await sql<{ created_at: string; id: string }>`
    select created_at::text, id from tracks where title = 'Newer'`.execute(app.db.query)
  const cursor = encodeCursor([rows[0]!.created_at, rows[0]!.id])
  expect((await search('velvet', { cursor })).titles).toEqual([
    'Blue velvet',
    'Velvet Weather',
    'Velvet Morning',
    'velvet',
  ])
})

test('finds and ranks playlists by the same rules as tracks', async () => {
  const owner = await app.makePerson({ premium: true })
  const titles = ['Über Nacht', 'Nachtüber', 'Die Nacht über', 'uber']
  for (const title of titles) {
    await app.db.query.insertInto('playlists').values({ title, created_by: owner.id }).execute()
  }
  const found: string[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { q: 'ÜBER', limit: '1', ...(cursor && { cursor }) }
    const { body }: Awaited<ReturnType<typeof ask>> = await ask(query)
    found.push(...body.data.map(({ title }) => title))
    cursor = body.next_cursor
  } while (cursor)
  expect(found).toEqual(['uber', 'Über Nacht', 'Die Nacht über', 'Nachtüber'])

  function ask(query: Record<string, string>) {
    return owner.call(listPlaylists, { query })
  }
})

test('a search uses the trigram index', async () => {
  await publish(velvet)
  await app.asOwner('analyze tracks')
  const plan = await app.db.query.transaction().execute(async (query) => {
    // With so few rows, PostgreSQL would prefer a sequential scan to the index.
    await sql`set local enable_seqscan = off`.execute(query)
    return sql<{ 'QUERY PLAN': string }>`
      explain select id from tracks t where t.search_folded like search_pattern('Vélvet')`.execute(
      query,
    )
  })
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('tracks_search_folded')
})
