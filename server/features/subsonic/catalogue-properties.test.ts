// Properties of the Subsonic API that apps rely on, checked after random changes of the catalogue: every song is on one
// album with a known artist, orders are total, and cached items stay valid until they change.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { requestAs, makeListener, type Answer, type Listener } from './testing/listener.ts'

const trackCount = 8
const releaseCount = 4

let app: TestApp
let listener: Listener
let tracks: string[]
let releases: string[]

beforeAll(async () => {
  app = await createTestApp()
  listener = await makeListener(app, 'free')
  const { db } = app.services
  tracks = await makeTracks(db, trackCount, { prefix: 'Song' })
  const { rows: images } = await sql<{ id: string }>`
    insert into images (kind, tint, placeholder, width, height)
    select 'cover', '#101010', 'data:image/webp;base64,', 640, 640 from generate_series(1, ${trackCount}::int)
    returning id`.execute(db.query)
  const covers = images.map(({ id }) => id)
  await sql`update tracks t set cover_id = given.cover_id
              from unnest(${tracks}::uuid[], ${covers}::uuid[]) given (id, cover_id) where t.id = given.id`.execute(
    db.query,
  )
  const { rows } = await sql<{ id: string }>`
    insert into releases (kind, title, slug, release_date, created_at)
    select (array['album', 'ep', 'compilation', 'single'])[i], 'Same title', 'release-' || i, date '2026-01-01', '2026-02-01'
      from generate_series(1, ${releaseCount}::int) i returning id`.execute(db.query)
  releases = rows.map(({ id }) => id)
  await sql`insert into release_credits (release_id, position, artist_id)
            select r, 1, (select artist_id from track_credits where track_id = ${tracks[0]!} limit 1)
              from unnest(${releases}::uuid[]) r`.execute(db.query)
})
afterAll(() => app.close())

type Change =
  | { kind: 'publish track' | 'hide track'; at: number }
  | { kind: 'publish release' | 'hide release'; at: number }
  | { kind: 'put on release' | 'take off release'; at: number; release: number }

const track = fc.nat(trackCount - 1)
const release = fc.nat(releaseCount - 1)
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('publish track' as const, 'hide track' as const), at: track }),
  fc.record({
    kind: fc.constantFrom('publish release' as const, 'hide release' as const),
    at: release,
  }),
  fc.record({
    kind: fc.constantFrom('put on release' as const, 'take off release' as const),
    at: track,
    release,
  }),
)

async function apply(change: Change): Promise<void> {
  const { query } = app.services.db
  switch (change.kind) {
    case 'publish track':
    case 'hide track':
      await sql`update tracks set is_published = ${change.kind === 'publish track'} where id = ${tracks[change.at]!}`.execute(
        query,
      )
      return
    case 'publish release':
    case 'hide release':
      await sql`update releases set is_published = ${change.kind === 'publish release'} where id = ${releases[change.at]!}`.execute(
        query,
      )
      return
    case 'put on release':
      await sql`insert into release_tracks (release_id, track_id, disc, position)
                select r.id, ${tracks[change.at]!}::uuid, 1, ${change.at + 1}::int from releases r
                 where r.id = ${releases[change.release]!}::uuid and not exists (
                   select from release_tracks e where e.release_id = r.id and e.track_id = ${tracks[change.at]!}::uuid)`.execute(
        query,
      )
      return
    case 'take off release':
      await sql`delete from release_tracks where release_id = ${releases[change.release]!}
                   and track_id = ${tracks[change.at]!}`.execute(query)
  }
}

const callApp = (name: string, parameters: Record<string, string> = {}) =>
  requestAs(app, listener, name, parameters)
const getIds = (items: readonly Answer[]) => items.map(({ id }) => id as string)

/** Reads all pages of a list, three items each. */
async function readPages(readPage: (offset: string) => Promise<Answer[]>): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = getIds(await readPage(String(ids.length)))
    ids.push(...page)
    if (page.length < 3) return ids
  }
}

const orders = ['newest', 'alphabeticalByName', 'alphabeticalByArtist', 'byYear'] as const
const years = { fromYear: '1990', toYear: '2030' }

async function readCatalogue() {
  const { searchResult3: all } = await callApp('search3', {
    query: '',
    songCount: '500',
    albumCount: '500',
    artistCount: '500',
  })
  return all as { song: Answer[]; album: Answer[]; artist: Answer[] }
}
type Catalogue = Awaited<ReturnType<typeof readCatalogue>>

/** Checks the songs and the artist of every album, and returns the ids of all songs on albums. */
async function checkMembership({ album, artist }: Catalogue): Promise<string[]> {
  const artists = new Set(getIds(artist))
  const found: string[] = []
  for (const one of album) {
    const { album: whole } = await callApp('getAlbum', { id: one.id })
    expect(whole.songCount).toBe(whole.song.length)
    expect(artists).toContain(whole.artistId)
    const { artist: maker } = await callApp('getArtist', { id: whole.artistId })
    expect(getIds(maker.album)).toContain(one.id)
    expect(maker.albumCount).toBe(maker.album.length)
    for (const { id, albumId } of whole.song) {
      expect(albumId).toBe(one.id)
      found.push(id)
    }
  }
  const { artists: listed } = await callApp('getArtists')
  const names = listed.index.flatMap((letter: Answer) => letter.artist)
  expect(getIds(names).toSorted()).toEqual(getIds(artist).toSorted())
  return found
}

async function checkOrders({ album }: Catalogue): Promise<void> {
  for (const type of orders) {
    const list = async (size: string, offset = '0') =>
      (await callApp('getAlbumList2', { type, ...years, size, offset })).albumList2
        .album as Answer[]
    const whole = getIds(await list('500'))
    expect(whole.toSorted()).toEqual(getIds(album).toSorted())
    expect(await readPages((offset) => list('3', offset))).toEqual(whole)
  }
  const searched = await readPages(async (albumOffset) => {
    const { searchResult3 } = await callApp('search3', { query: '', albumCount: '3', albumOffset })
    return searchResult3.album
  })
  expect(searched).toEqual(getIds(album))
}

/**
 * Compares items with the same id before and after: times and the covers of songs stay the same, and the cover of an
 * album changes only together with its song count. The changes in this test only move songs.
 */
function checkCaches(before: Catalogue, after: Catalogue): void {
  for (const kind of ['song', 'album'] as const) {
    const known = new Map(before[kind].map((one) => [one.id, one]))
    for (const { id, created, coverArt, songCount } of after[kind]) {
      const old = known.get(id)
      if (!old) continue
      expect(created).toBe(old.created)
      if (kind === 'song') expect(coverArt).toBe(old.coverArt)
      else if (coverArt !== old.coverArt) expect(songCount).not.toBe(old.songCount)
    }
  }
}

test(
  'songs, orders and cached items stay consistent after any sequence of changes',
  { timeout: 600_000 },
  async () => {
    let before = await readCatalogue()
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 4 }), async (changes) => {
        for (const change of changes) {
          await apply(change)
          const after = await readCatalogue()
          checkCaches(before, after)
          before = after
        }
        const onAlbums = await checkMembership(before)
        expect(onAlbums.toSorted()).toEqual(getIds(before.song).toSorted())
        await checkOrders(before)
      }),
      { numRuns: 15 },
    )
  },
)
