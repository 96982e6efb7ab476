// Linking tracks as versions of one song, over HTTP.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTrack } from '#contract/tracks.ts'
import { changeAdminTracks } from '#contract/admin/admin-tracks.ts'
import {
  dismissVersionProposal,
  getTrackVersions,
  linkTrackVersions,
  listVersionProposals,
  unlinkTrackVersion,
} from '#contract/admin/track-versions.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson()
})
afterAll(() => app.close())

async function insert(title: string, more: object = {}): Promise<string> {
  const row = await app.services.db.query
    .insertInto('tracks')
    .values({ title, artist: 'Mira', is_published: true, processing_status: 'ready', ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
const link = (...track_ids: string[]) => admin.call(linkTrackVersions, { body: { track_ids } })
const versionsFor = async (who: Person, id: string) =>
  (await who.call(getTrack, { params: { id } })).body.versions.map((version) => version.id)
const versionsOf = async (id: string) =>
  (await admin.call(getTrackVersions, { params: { id } })).body

test('members see the other published versions of a track, including those of groups linked later', async () => {
  const [a, b, c] = [await insert('One'), await insert('Two'), await insert('Three')]
  const draft = await insert('Draft', { is_published: false })
  expect((await link(a, b)).status).toBe(204)
  expect((await link(b, c, draft)).status).toBe(204)
  expect(await versionsFor(member, a)).toEqual([b, c])
  expect((await versionsOf(a)).data.map(({ id }) => id)).toEqual([b, c, draft])
  await admin.call(changeAdminTracks, { body: { action: 'delete', id: b } })
  expect(await versionsFor(member, a)).toEqual([c])
})

test('unlinking a track keeps the others linked, and a single remaining track has no versions', async () => {
  const [a, b, c] = [await insert('A1'), await insert('B1'), await insert('C1')]
  await link(a, b, c)
  expect((await admin.call(unlinkTrackVersion, { params: { id: a } })).status).toBe(204)
  expect(await versionsFor(member, a)).toEqual([])
  expect(await versionsFor(member, b)).toEqual([c])
  await admin.call(unlinkTrackVersion, { params: { id: b } })
  const rows = await app.services.db.query
    .selectFrom('track_versions')
    .select('track_id')
    .where('track_id', 'in', [a, b, c])
    .execute()
  expect(rows).toEqual([])
})

test('linking requires existing tracks and accepts at most 50', async () => {
  const a = await insert('Alone')
  expect((await link(a, randomUUID())).code).toBe('track_not_found')
  expect((await link(a, a)).status).toBe(204)
  const group = await app.services.db.query
    .selectFrom('track_versions')
    .selectAll()
    .where('track_id', '=', a)
    .execute()
  expect(group).toEqual([])
  expect((await admin.call(getTrackVersions, { params: { id: randomUUID() } })).code).toBe(
    'track_not_found',
  )
  const many = await Promise.all(Array.from({ length: 50 }, (_, at) => insert(`Many ${at}`)))
  expect((await link(...many)).status).toBe(204)
  expect((await link(a, many[0]!)).code).toBe('too_many_versions')
  expect((await versionsOf(a)).data).toEqual([])
})

test('concurrent links of the same tracks create one group', async () => {
  const [a, b, c] = [await insert('Race 1'), await insert('Race 2'), await insert('Race 3')]
  const responses = await Promise.all([link(a, b), link(b, c), link(c, a)])
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204])
  expect((await versionsOf(a)).data).toHaveLength(2)
})

test.each([
  ['Rain', 'Rain (v2)', true],
  ['Rain', 'RAIN - Take 3', true],
  ['Rain [Remix]', 'Rain (2)', true],
  ['Rain v2', 'Rain Version 3', true],
  ['Rain', 'Rain', true],
  ['Rain', 'Rainbow', false],
  ['Movement 1', 'Movement 2', false],
  ['Alive', 'A', false],
])('proposes %s and %s as versions: %s', async (one, other, isProposed) => {
  const batch = randomUUID()
  const artist = `Artist ${batch}`
  const ids = [await insert(one, { artist }), await insert(other, { artist, import_batch: batch })]
  const read = async () =>
    (await admin.call(listVersionProposals, { query: { batch } })).body.data.map(
      ({ by, tracks }) => ({ by, ids: tracks.map(({ id }) => id) }),
    )
  expect(await read()).toEqual(isProposed ? [{ by: 'title', ids }] : [])
  await link(...ids)
  expect(await read()).toEqual([])
})

test('proposes tracks made from the same prompt once, regardless of their titles and artists', async () => {
  const [a, b, other] = [await insert('Sea'), await insert('Shore'), await insert('Hill')]
  for (const [track_id, prompt] of [
    [a, 'waves at night'],
    [b, 'waves at night'],
    [other, 'a hill'],
  ] as const) {
    const origin = { track_id, tool: 'Suno', prompt, style: 'ambient', parts: '{}' }
    await app.services.db.query.insertInto('track_origins').values(origin).execute()
  }
  const { proposals } = await versionsOf(a)
  expect(proposals.map(({ by, tracks }) => [by, tracks.map(({ id }) => id)])).toEqual([
    ['prompt', [a, b]],
  ])
  expect((await versionsOf(other)).proposals).toEqual([])
})

test('a dismissed proposal is shown again only if another track joins it', async () => {
  const batch = randomUUID()
  const [a, b] = [
    await insert('Fog', { import_batch: batch }),
    await insert('Fog (v2)', { import_batch: batch }),
  ]
  const proposed = async () =>
    (await admin.call(listVersionProposals, { query: { batch } })).body.data.map(({ tracks }) =>
      tracks.map(({ id }) => id),
    )
  expect(await proposed()).toEqual([[a, b]])
  const dismiss = (track_ids: string[], who = admin) =>
    who.call(dismissVersionProposal, { body: { track_ids } })
  expect((await dismiss([a, b], member)).status).toBe(403)
  expect((await dismiss([a, randomUUID()])).code).toBe('track_not_found')
  expect(await proposed()).toEqual([[a, b]])
  expect((await dismiss([a, b])).status).toBe(204)
  expect(await proposed()).toEqual([])
  expect((await versionsOf(a)).proposals).toEqual([])
  const c = await insert('Fog (v3)', { import_batch: batch })
  expect(await proposed()).toEqual([[a, b, c]])
})
