// Tests assigning tracks, releases and artists to creators, and undoing the assignment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { listAdminTracks } from '#contract/admin/admin-tracks.ts'
import * as owners from '#contract/creators/owners.ts'
import { getOwnFigures } from '#contract/creators/own-figures.ts'
import { submitReview, listOwnReviews } from '#contract/creators/reviews.ts'
import { createRelease } from '#contract/admin/admin-releases.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let editor: Person
let creator: Person
let other: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  editor = await app.makePerson({ role: 'editor' })
  creator = await app.makePerson({ role: 'creator' })
  other = await app.makePerson({ role: 'creator' })
})
afterAll(() => app.close())

const give = (items: owners.OwnedItem[], with_parts = false, by = admin) =>
  by.call(owners.changeOwners, { body: { items, with_parts } })

async function ownersOf(some: Pick<owners.OwnedItem, 'kind' | 'id'>[]) {
  const items = some.map(({ kind, id }) => ({ kind, id }))
  const { data } = (await admin.call(owners.findOwners, { body: { items } })).body
  return data.map(({ owner_id }) => owner_id)
}

const lists = async (person: Person) =>
  (await person.call(listAdminTracks, { query: { page_size: 200 } })).body.data.map(({ id }) => id)

test("an assigned track appears in its creator's lists and statistics until the assignment is undone", async () => {
  const [id] = await makeTracks(app.services.db, 1)
  const member = await app.makePerson()
  await app.asOwner(`insert into plays
    (id, user_id, track_id, is_preview, started_at, reported_at, counted_at, heard_seconds, duration_seconds)
    values (gen_random_uuid(), '${member.id}', '${id}', false, now(), now(), now(), 120, 180)`)
  const today = new Date().toISOString().slice(0, 10)
  const figures = async () =>
    (await creator.call(getOwnFigures, { query: { start: today, end: today } })).body.data
  expect(await figures()).toEqual([])
  const { body } = await give([{ kind: 'track', id: id!, owner_id: creator.id }])
  expect(body.data).toEqual([{ kind: 'track', id, owner_id: null }])
  expect(await lists(creator)).toContain(id)
  expect(await figures()).toMatchObject([{ track_id: id, plays: 1, heard_minutes: 2 }])

  const { data } = (await admin.call(listAuditLog, { query: { entity: 'track' } })).body
  expect(data[0]).toMatchObject({
    entity_id: id,
    actor_id: admin.id,
    before: { owner_id: null },
    after: { owner_id: creator.id },
  })
  await give(body.data)
  expect(await lists(creator)).not.toContain(id)
  expect(await figures()).toEqual([])
})

test('assigns a release with its tracks, and an artist with tracks and releases, except those that already have an owner', async () => {
  const ids = await makeTracks(app.services.db, 3, { prefix: 'Part' })
  const body = { title: 'Parts', tracks: ids.map((track_id) => ({ track_id })) }
  const release = (await admin.call(createRelease, { body })).body.id
  await give([{ kind: 'track', id: ids[2]!, owner_id: other.id }])
  const given = await give([{ kind: 'release', id: release, owner_id: creator.id }], true)
  const items = [
    { kind: 'release' as const, id: release },
    ...ids.map((id) => ({ kind: 'track' as const, id })),
  ]
  const present = await ownersOf(items)
  const countOf = (owner: Person) => present.filter((id) => id === owner.id).length
  expect([countOf(creator), countOf(other)]).toEqual([3, 1])
  await give(given.body.data)
  expect((await ownersOf(items)).filter((id) => id !== null)).toEqual([other.id])

  const { artist_id } = await app.services.db.query
    .selectFrom('track_credits')
    .select('artist_id')
    .where('track_id', '=', ids[0]!)
    .executeTakeFirstOrThrow()
  const mine = await give([{ kind: 'artist', id: artist_id, owner_id: creator.id }], true)
  expect(mine.body.data).toContainEqual({ kind: 'track', id: ids[0], owner_id: null })
  expect(await ownersOf([{ kind: 'artist', id: artist_id }])).toEqual([creator.id])
})

test("assigning an item to another owner withdraws the previous owner's pending review", async () => {
  const [id] = await makeTracks(app.services.db, 1, { published: false })
  await give([{ kind: 'track', id: id!, owner_id: creator.id }])
  const sent = await creator.call(submitReview, { body: { track_id: id! } })
  expect(sent.code).toBeUndefined()
  await give([{ kind: 'track', id: id!, owner_id: other.id }])
  const { data } = (await creator.call(listOwnReviews, { query: { item_id: id! } })).body
  expect(data[0]?.state).toBe('withdrawn')
})

test('only admins can assign owners, only creators can be owners, and either all items are assigned or none', async () => {
  const [id, second] = await makeTracks(app.services.db, 2)
  const member = await app.makePerson()
  const item = { kind: 'track' as const, id: id!, owner_id: creator.id }
  for (const person of [editor, creator, member]) {
    expect((await give([item], false, person)).code).toBe('forbidden')
  }
  for (const owner of [member, editor, admin]) {
    expect((await give([{ ...item, owner_id: owner.id }])).code).toBe('owner_not_creator')
  }
  const missing = { ...item, id: '00000000-0000-7000-8000-00000000dead' }
  expect((await give([{ ...item, id: second! }, missing])).code).toBe('track_not_found')
  expect(await ownersOf([item, { kind: 'track', id: second! }])).toEqual([null, null])
  expect((await give([item, item])).code).toBe('invalid_input')
})
