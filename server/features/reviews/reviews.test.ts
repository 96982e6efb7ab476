// Tests the states of a review: pending, withdrawn, returned and published. A draft is locked while its review is
// pending.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as releases from '#contract/admin/admin-releases.ts'
import * as tracks from '#contract/admin/admin-tracks.ts'
import * as reviews from '#contract/creators/reviews.ts'
import { getOwnFigures } from '#contract/creators/own-figures.ts'
import { getTrack } from '#contract/tracks.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let editor: Person
let creator: Person
let member: Person
let made = 0

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  editor = await app.makePerson({ role: 'editor' })
  creator = await app.makePerson({ role: 'creator' })
  member = await app.makePerson()
})
afterAll(() => app.close())

async function draft(more: object = {}): Promise<string> {
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({
      title: `Draft ${++made}`,
      artist: `Voice ${made}`,
      processing_status: 'ready',
      duration: 200,
      owner_id: creator.id,
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.asOwner(`update artists set owner_id = '${creator.id}' where name = 'Voice ${made}'`)
  return id
}

const submit = (body: object) => creator.send('POST', reviews.submitReview.path, { body })
const idOf = (answer: { body: unknown }) => (answer.body as { id: string }).id
const change = (id: string, title = 'Changed') =>
  creator.call(tracks.updateAdminTrack, { params: { id }, body: { title } })
const own = async () => (await creator.call(reviews.listOwnReviews, { query: {} })).body
const seenBy = async (person: Person, id: string) =>
  (await person.call(getTrack, { params: { id } })).code === undefined

test('submitting a draft locks it, and withdrawing the review unlocks it', async () => {
  const id = await draft()
  const sent = await submit({ track_id: id, note: 'Please in May' })
  expect(sent.status).toBe(201)
  expect((await submit({ track_id: id })).code).toBe('review_locked')
  expect((await change(id)).code).toBe('review_locked')
  const params = { id: idOf(sent) }
  expect((await creator.call(reviews.withdrawReview, { params })).body.state).toBe('withdrawn')
  expect((await change(id)).code).toBeUndefined()
  expect((await creator.call(reviews.withdrawReview, { params })).code).toBe('conflict')
  expect((await editor.call(reviews.publishReview, { params })).code).toBe('conflict')
})

test("an editor sees the draft's creator and note, and returns the draft with a reply", async () => {
  const id = await draft()
  const review = idOf(await submit({ track_id: id, note: 'For the album' }))
  const { data } = (await editor.call(reviews.listReviews, { query: { page_size: 200 } })).body
  expect(data.find((one) => one.id === review)).toMatchObject({
    note: 'For the album',
    owner_id: creator.id,
    state: 'waiting',
  })
  const params = { id: review }
  const empty = await editor.call(reviews.returnReview, { params, body: { answer: ' ' } })
  expect(empty.code).toBe('invalid_input')
  await editor.call(reviews.returnReview, { params, body: { answer: 'Too loud' } })
  const list = await own()
  expect(list.new_count).toBe(1)
  expect(list.data[0]).toMatchObject({ state: 'returned', answer: 'Too loud', is_new: true })
  await creator.call(reviews.markReviewsSeen, {})
  expect((await own()).new_count).toBe(0)
  expect((await change(id)).code).toBeUndefined()
  expect((await submit({ track_id: id })).status).toBe(201)
})

test('publishing a review shows the track to members, marks the decision as new for the creator and keeps the track locked', async () => {
  const id = await draft()
  const params = { id: idOf(await submit({ track_id: id })) }
  expect(await seenBy(member, id)).toBe(false)
  const published = await admin.call(reviews.publishReview, { params })
  expect(published.body.state).toBe('published')
  expect(await seenBy(member, id)).toBe(true)
  expect((await own()).data[0]).toMatchObject({ state: 'published', is_new: true })
  expect((await change(id)).code).toBe('review_locked')
})

test('a review of a release publishes it with its tracks, which are locked while the review is pending', async () => {
  const track_id = await draft()
  const body = { title: 'An Album', tracks: [{ track_id }] }
  const release_id = (await creator.call(releases.createRelease, { body })).body.id
  const params = { id: idOf(await submit({ release_id })) }
  expect((await change(track_id)).code).toBe('review_locked')
  const renamed = await creator.call(releases.updateRelease, {
    params: { id: release_id },
    body: { title: 'Other' },
  })
  expect(renamed.code).toBe('review_locked')
  await editor.call(reviews.publishReview, { params })
  expect(await seenBy(member, track_id)).toBe(true)
  const release = (await admin.call(releases.getAdminRelease, { params: { id: release_id } })).body
  expect(release.is_published).toBe(true)
})

test('rejects an empty release and a track whose processing failed', async () => {
  const empty = (await creator.call(releases.createRelease, { body: { title: 'Empty' } })).body.id
  expect((await submit({ release_id: empty })).code).toBe('release_empty')
  const failed = await draft({ processing_status: 'failed' })
  expect((await submit({ track_id: failed })).code).toBe('track_not_ready')
})

test('publishing or deleting a draft without its review closes the review', async () => {
  const published = await draft()
  const deleted = await draft()
  await submit({ track_id: published })
  await submit({ track_id: deleted })
  await editor.call(tracks.publishTrack, { params: { id: published } })
  await editor.call(tracks.changeAdminTracks, { body: { action: 'delete', id: deleted } })
  const states = await app.services.db.query
    .selectFrom('reviews')
    .select(['item_id', 'state'])
    .where('item_id', 'in', [published, deleted])
    .execute()
  expect(Object.fromEntries(states.map(({ item_id, state }) => [item_id, state]))).toEqual({
    [published]: 'published',
    [deleted]: 'withdrawn',
  })
})

test('a change by the creator concurrent with the submission is either applied before it or rejected', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await draft()
    const before = (await admin.call(tracks.getAdminTrack, { params: { id } })).body.title
    const [changed, sent] = await Promise.all([
      change(id, `Raced ${round}`),
      submit({ track_id: id }),
    ])
    expect(sent.status).toBe(201)
    const track = (await admin.call(tracks.getAdminTrack, { params: { id } })).body
    if (changed.code) expect([changed.code, track.title]).toEqual(['review_locked', before])
    else expect(track.title).toBe(`Raced ${round}`)
    expect((await change(id)).code).toBe('review_locked')
  }
})

test("a creator cannot find other creators' reviews, and only editors can publish or return a draft", async () => {
  const other = await app.makePerson({ role: 'creator' })
  const params = { id: idOf(await submit({ track_id: await draft() })) }
  expect((await other.call(reviews.withdrawReview, { params })).code).toBe('not_found')
  expect((await other.call(reviews.listOwnReviews, { query: {} })).body.data).toEqual([])
  for (const operation of [reviews.publishReview, reviews.returnReview]) {
    const answer = await creator.send('POST', operation.path.replace(':id', params.id), {
      body: {},
    })
    expect(answer.code).toBe('forbidden')
  }
})

test("a creator's statistics count only their own tracks, and not their own plays", async () => {
  const other = await app.makePerson({ role: 'creator' })
  const [mine, theirs] = [await draft(), await draft({ owner_id: other.id })]
  const play = (user_id: string, track_id: string) =>
    app.services.db.query
      .insertInto('plays')
      .values({
        id: crypto.randomUUID(),
        user_id,
        track_id,
        is_preview: false,
        started_at: '2026-01-10T12:00:00Z',
        reported_at: '2026-01-10T12:02:00Z',
        counted_at: '2026-01-10T12:01:00Z',
        heard_seconds: 120,
        duration_seconds: 200,
      })
      .execute()
  await play(member.id, mine)
  await play(member.id, mine)
  await play(admin.id, mine)
  await play(creator.id, mine)
  await play(member.id, theirs)
  const query = { start: '2026-01-01', end: '2026-01-31' }
  const { total, data } = (await creator.call(getOwnFigures, { query })).body
  expect(total).toEqual({ plays: 3, listeners: 2, heard_minutes: 6 })
  expect(data[0]).toMatchObject({ track_id: mine, plays: 3, listeners: 2, heard_minutes: 6 })
  expect(data.map(({ track_id }) => track_id)).not.toContain(theirs)
  const reversed = await creator.call(getOwnFigures, {
    query: { start: '2026-02-01', end: '2026-01-01' },
  })
  expect(reversed.code).toBe('invalid_period')
})
