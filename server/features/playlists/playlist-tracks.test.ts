// The tracks of a playlist over HTTP: appending, removing, saving the whole list, and the effects of unpublished tracks
// and of an ended Premium plan.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addTrackToPlaylist,
  createPlaylist,
  getPlaylist,
  listPlaylistTracks,
  removeTrackFromPlaylist,
  updatePlaylist,
} from '#contract/playlists.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { playlistRoutes } from './playlist-routes.ts'

let app: FeatureApp
let tracks: string[]

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => playlistRoutes(route, pictures))
  tracks = await makeTracks(app.db, 30)
})
afterAll(() => app.close())

/** Creates a person who owns one playlist with these tracks. */
async function start(trackIds: string[], { premium = true } = {}) {
  const person = await app.makePerson({ premium: true })
  const { id } = (await person.call(createPlaylist, { body: { title: 'Mine' } })).body
  if (trackIds.length > 0) await save(person, id, trackIds)
  await person.setPremium(premium)
  return { person, params: { id } }
}

function save(person: Person, id: string, track_ids: string[]) {
  return person.call(updatePlaylist, { params: { id }, body: { track_ids } })
}

async function order(person: Person, id: string): Promise<string[]> {
  const { body } = await person.call(listPlaylistTracks, { params: { id }, query: { limit: 1000 } })
  expect(body.data.map((entry) => entry.order_index)).toEqual(body.data.map((_, i) => i))
  expect(body.total).toBe(body.data.length)
  return body.data.map((entry) => entry.track.id)
}

async function readPositions(id: string): Promise<number[]> {
  const rows = await app.db.query
    .selectFrom('playlist_tracks')
    .select('order_index')
    .where('playlist_id', '=', id)
    .orderBy('order_index')
    .execute()
  return rows.map((row) => row.order_index)
}

async function setPublished(ids: string[], is_published: boolean) {
  await app.db.query.updateTable('tracks').set({ is_published }).where('id', 'in', ids).execute()
}

describe('adding a track', () => {
  test('appends the track at the end', async () => {
    const { person, params } = await start(tracks.slice(0, 2))
    const { body } = await person.call(addTrackToPlaylist, {
      params,
      body: { track_id: tracks[9]! },
    })
    expect(body.order_index).toBe(2)
    expect(await order(person, params.id)).toEqual([tracks[0], tracks[1], tracks[9]])
  })

  test('adds a track only once', async () => {
    const { person, params } = await start([tracks[0]!])
    const again = await person.call(addTrackToPlaylist, { params, body: { track_id: tracks[0]! } })
    expect(again).toMatchObject({ status: 409, code: 'track_already_in_playlist' })
  })

  test('returns 404 for an unpublished or missing track', async () => {
    const { person, params } = await start([])
    const [draft] = await makeTracks(app.db, 1, { published: false })
    for (const track_id of [draft!, crypto.randomUUID()]) {
      const response = await person.call(addTrackToPlaylist, { params, body: { track_id } })
      expect(response).toMatchObject({ status: 404, code: 'track_not_found' })
    }
    expect(await readPositions(params.id)).toEqual([])
  })

  test('returns 404 for another member’s playlist, even a public one', async () => {
    const { person: owner, params } = await start([])
    await owner.call(updatePlaylist, { params, body: { is_public: true } })
    const other = await app.makePerson({ premium: true })
    const response = await other.call(addTrackToPlaylist, {
      params,
      body: { track_id: tracks[0]! },
    })
    expect(response).toMatchObject({ status: 404, code: 'playlist_not_found' })
    expect(
      await app.signedOut.call(addTrackToPlaylist, { params, body: { track_id: tracks[0]! } }),
    ).toMatchObject({ status: 401 })
  })

  test('requires Premium for an 11th track, but returns the error for duplicates if the track is already in the playlist', async () => {
    const { person, params } = await start(tracks.slice(0, 10), { premium: false })
    const eleventh = await person.call(addTrackToPlaylist, {
      params,
      body: { track_id: tracks[10]! },
    })
    expect(eleventh).toMatchObject({ status: 403, code: 'track_limit_reached' })
    const again = await person.call(addTrackToPlaylist, { params, body: { track_id: tracks[3]! } })
    expect(again).toMatchObject({ code: 'track_already_in_playlist' })
    await person.setPremium(true)
    expect(
      await person.call(addTrackToPlaylist, { params, body: { track_id: tracks[10]! } }),
    ).toMatchObject({ status: 201 })
  })

  test.each([{}, { track_id: 5 }, { track_id: 'x' }])('returns 400 for %j', async (body) => {
    const { person, params } = await start([])
    const response = await person.send('POST', `/api/playlists/${params.id}/tracks`, body)
    expect(response).toMatchObject({ status: 400, code: 'invalid_input' })
  })
})

describe('removing a track', () => {
  test('leaves no gap in the positions', async () => {
    const { person, params } = await start(tracks.slice(0, 4))
    const gone = { params: { ...params, track_id: tracks[1]! } }
    expect(await person.call(removeTrackFromPlaylist, gone)).toMatchObject({ status: 204 })
    expect(await order(person, params.id)).toEqual([tracks[0], tracks[2], tracks[3]])
    expect(await person.call(removeTrackFromPlaylist, gone)).toMatchObject({
      code: 'track_not_found',
    })
  })

  test('is allowed only for the owner', async () => {
    const { params } = await start([tracks[0]!])
    const other = await app.makePerson()
    const response = await other.call(removeTrackFromPlaylist, {
      params: { ...params, track_id: tracks[0]! },
    })
    expect(response).toMatchObject({ status: 404, code: 'playlist_not_found' })
  })

  test('leaves no gap in the positions when an admin deletes a track', async () => {
    const doomed = await makeTracks(app.db, 2)
    const { person, params } = await start([doomed[0]!, tracks[0]!, doomed[1]!, tracks[1]!])
    await app.db.query.deleteFrom('tracks').where('id', 'in', doomed).execute()
    expect(await order(person, params.id)).toEqual([tracks[0], tracks[1]])
    expect(await readPositions(params.id)).toEqual([0, 1])
  })
})

describe('saving all tracks', () => {
  test('adds, removes and reorders tracks in one request', async () => {
    const { person, params } = await start(tracks.slice(0, 5))
    const wanted = [tracks[4]!, tracks[20]!, tracks[0]!, tracks[2]!, tracks[21]!]
    const { body } = await save(person, params.id, wanted)
    expect(body.track_count).toBe(5)
    expect(await order(person, params.id)).toEqual(wanted)
    expect(await readPositions(params.id)).toEqual([0, 1, 2, 3, 4])
    await save(person, params.id, wanted.toReversed())
    expect(await order(person, params.id)).toEqual(wanted.toReversed())
    await save(person, params.id, [])
    expect(await order(person, params.id)).toEqual([])
  })

  test('keeps the ids of entries that are moved', async () => {
    const { person, params } = await start(tracks.slice(0, 3))
    const entries = async () => {
      const { body } = await person.call(listPlaylistTracks, { params })
      return new Map(body.data.map((entry) => [entry.track.id, entry.id]))
    }
    const before = await entries()
    await save(person, params.id, [tracks[2]!, tracks[0]!, tracks[1]!])
    expect(await entries()).toEqual(before)
  })

  test('refuses a list with a duplicate track', async () => {
    const { person, params } = await start([tracks[0]!])
    const response = await save(person, params.id, [tracks[1]!, tracks[1]!])
    expect(response).toMatchObject({ status: 409, code: 'track_already_in_playlist' })
    expect(await order(person, params.id)).toEqual([tracks[0]])
  })

  test('refuses a new track that is unpublished or missing', async () => {
    const { person, params } = await start([tracks[0]!])
    const [draft] = await makeTracks(app.db, 1, { published: false })
    for (const id of [draft!, crypto.randomUUID()]) {
      expect(await save(person, params.id, [tracks[0]!, id])).toMatchObject({
        code: 'track_not_found',
      })
    }
  })

  test('accepts ten tracks from a free member, but not eleven', async () => {
    const { person, params } = await start([], { premium: false })
    expect(await save(person, params.id, tracks.slice(0, 11))).toMatchObject({
      status: 403,
      code: 'track_limit_reached',
    })
    expect(await order(person, params.id)).toEqual([])
    expect(await save(person, params.id, tracks.slice(0, 10))).toMatchObject({ status: 200 })
  })

  test.each([{ track_ids: 'all' }, { track_ids: [1] }, { track_ids: null }])(
    'returns 400 for %j',
    async (body) => {
      const { person, params } = await start([])
      expect(await person.send('PATCH', `/api/playlists/${params.id}`, body)).toMatchObject({
        status: 400,
      })
    },
  )
})

describe('after Premium has ended', () => {
  test('a playlist over the free limit can be read, reordered and shortened, but not extended', async () => {
    const { person, params } = await start(tracks.slice(0, 15), { premium: false })
    expect(await order(person, params.id)).toHaveLength(15)
    const reversed = tracks.slice(0, 15).toReversed()
    expect(await save(person, params.id, reversed)).toMatchObject({ status: 200 })
    expect(await order(person, params.id)).toEqual(reversed)
    expect(await save(person, params.id, reversed.slice(0, 14))).toMatchObject({ status: 200 })
    const swapped = [...reversed.slice(0, 13), tracks[20]!]
    expect(await save(person, params.id, swapped)).toMatchObject({ code: 'track_limit_reached' })
    const add = { params, body: { track_id: tracks[20]! } }
    expect(await person.call(addTrackToPlaylist, add)).toMatchObject({
      code: 'track_limit_reached',
    })
    const remove = { params: { ...params, track_id: reversed[0]! } }
    expect(await person.call(removeTrackFromPlaylist, remove)).toMatchObject({ status: 204 })
    expect((await person.call(getPlaylist, { params })).body.track_count).toBe(13)
    const renamed = await person.call(updatePlaylist, { params, body: { title: 'Still mine' } })
    expect(renamed).toMatchObject({ status: 200 })
  })
})

describe('unpublished tracks in a playlist', () => {
  test('are hidden, and return to their position when they are published', async () => {
    const own = await makeTracks(app.db, 6)
    const [a, b, c, d, e, f] = own as [string, string, string, string, string, string]
    const { person, params } = await start(own)
    await setPublished([b, e], false)
    expect(await order(person, params.id)).toEqual([a, c, d, f])
    expect((await person.call(getPlaylist, { params })).body.track_count).toBe(4)

    // The hidden tracks keep their number of preceding visible tracks: one for b, three for e.
    await save(person, params.id, [f, d, c, a])
    await setPublished([b, e], true)
    expect(await order(person, params.id)).toEqual([f, b, d, c, e, a])
  })

  test('stay in the playlist when a save removes all visible tracks, and do not count against the limit', async () => {
    const own = await makeTracks(app.db, 2)
    const { person, params } = await start(own, { premium: false })
    await setPublished(own, false)
    expect(await save(person, params.id, tracks.slice(0, 10))).toMatchObject({ status: 200 })
    await save(person, params.id, [])
    expect(await order(person, params.id)).toEqual([])
    await setPublished(own, true)
    expect(await order(person, params.id)).toEqual(own)
  })

  test('do not make pages shorter', async () => {
    const own = await makeTracks(app.db, 25)
    const { person, params } = await start(own)
    const hidden = own.filter((_, i) => [0, 1, 7, 12, 13, 24].includes(i))
    await setPublished(hidden, false)
    const visible = own.filter((id) => !hidden.includes(id))
    for (let offset = 0; offset <= visible.length; offset++) {
      const { body } = await person.call(listPlaylistTracks, {
        params,
        query: { offset, limit: 4 },
      })
      expect(body.data.map((entry) => entry.track.id)).toEqual(visible.slice(offset, offset + 4))
      expect(body.data[0]?.order_index ?? offset).toBe(offset)
      expect(body.total).toBe(visible.length)
    }
  })

  test('may be in a saved list, because the member may have opened it before they were unpublished', async () => {
    const own = await makeTracks(app.db, 3)
    const { person, params } = await start(own)
    await setPublished([own[1]!], false)
    expect(await save(person, params.id, own.toReversed())).toMatchObject({ status: 200 })
    await setPublished([own[1]!], true)
    expect(await order(person, params.id)).toEqual(own.toReversed())
  })
})

test('sorts pages on the server and leaves out tracks that members do not see', async () => {
  const own = await makeTracks(app.db, 12, { prefix: 'Sorted' })
  const { person, params } = await start(own.toReversed())
  await setPublished([own[3]!], false)
  const titles = async (query: Record<string, string>) => {
    const { body } = await person.call(listPlaylistTracks, { params, query })
    expect(body.total).toBe(11)
    return body.data.map(({ track }) => track.title)
  }
  const all = await titles({ order: 'title' })
  expect(all).toEqual(all.toSorted())
  expect(all).toHaveLength(11)
  expect(await titles({ order: 'title', offset: '4', limit: '3' })).toEqual(all.slice(4, 7))
  expect(await titles({ order: 'title', direction: 'desc' })).toEqual(all.toReversed())
  expect(await titles({ order: 'newest', offset: '11' })).toEqual([])
})

test('reading a page of a playlist of 20,000 tracks takes about as long as of one of 200, and reordering it about as long as creating it', async () => {
  const many = await makeTracks(app.db, 20_000, { prefix: 'Long' })
  await setPublished(many.slice(500, 520), false)
  await app.asOwner('analyze')
  const visible = many.filter((_, i) => i < 500 || i >= 520)
  const short = await start(visible.slice(0, 200))
  const { person, params } = await start([])
  const makeMs = await measureMs(() => save(person, params.id, visible))

  const shuffled = visible.map((_, i) => visible[(i * 7919) % visible.length]!)
  const orderMs = await measureMs(async () =>
    expect(await save(person, params.id, shuffled)).toMatchObject({ status: 200 }),
  )
  expect(orderMs / makeMs).toBeLessThan(3)

  // Alternate between both playlists, so that other load on the machine affects both equally, and compare the fastest
  // run of each.
  const pageMs: number[] = []
  const shortMs: number[] = []
  for (const offset of [0, 10_000, 19_700, 0, 10_000, 19_700, 0, 10_000, 19_700]) {
    const ask = (of: typeof short, from: number) =>
      of.person.call(listPlaylistTracks, { params: of.params, query: { offset: from, limit: 200 } })
    shortMs.push(await measureMs(() => ask(short, 0)))
    pageMs.push(
      await measureMs(async () => {
        const { body } = await ask({ person, params }, offset)
        expect(body.data[0]?.track.id).toBe(shuffled[offset])
        expect(body.total).toBe(visible.length)
      }),
    )
  }
  const text = (all: number[]) => all.map((ms) => ms.toFixed(1)).join(', ')
  console.info(
    `20,000 tracks: made in ${text([makeMs])} ms, ordered in ${text([orderMs])} ms, ` +
      `pages in ${text(pageMs)} ms, of a short one in ${text(shortMs)} ms`,
  )
  // With a hundred times as many tracks, the time was measured to grow about three and a half times.
  expect(Math.min(...pageMs) / Math.min(...shortMs)).toBeLessThan(10)
}, 300_000)

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
