// Updating the lists of similar tracks after changes of the catalogue.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { updateNeighbors } from './update-neighbors.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
  const genres = ['dark ambient', 'funk'].map((name) => ({ name }))
  await app.services.db.query.insertInto('genres').values(genres).execute()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.services.db.query.deleteFrom('tracks').execute()
  await app.services.db.query.deleteFrom('neighbour_updates').execute()
})

async function addTrack(
  title: string,
  words: { genre?: string; tags?: string[]; description?: string },
  options: { published?: boolean; artist?: string } = {},
): Promise<string> {
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({
      title,
      artist: options.artist ?? `Artist of ${title}`,
      is_published: options.published ?? true,
      processing_status: 'ready',
      duration: 100,
      ...words,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const update = () => updateNeighbors(app.services, { signal: new AbortController().signal })
const listOf = async (id: string) => {
  const row = await app.services.db.query
    .selectFrom('track_neighbours')
    .selectAll()
    .where('track_id', '=', id)
    .executeTakeFirst()
  return row?.neighbour_ids
}
const waiting = async () =>
  (await app.services.db.query.selectFrom('neighbour_updates').select('track_id').execute()).length
const set = (
  id: string,
  values: { is_published?: boolean; genre?: string; tags?: string[]; duration?: number },
) => app.services.db.query.updateTable('tracks').set(values).where('id', '=', id).execute()

const ambient = { genre: 'dark ambient', tags: ['night'] }
const funk = { genre: 'funk', tags: ['brass'] }

test('compares a new track with all others, and adds it to their lists', async () => {
  const one = await addTrack('One', ambient)
  const two = await addTrack('Two', ambient)
  const other = await addTrack('Other', funk)
  await update()
  expect(await listOf(one)).toEqual([two])
  expect(await listOf(other)).toEqual([])
  const three = await addTrack('Three', ambient)
  await update()
  expect(new Set(await listOf(three))).toEqual(new Set([one, two]))
  expect(new Set(await listOf(one))).toEqual(new Set([two, three]))
  expect(await waiting()).toBe(0)
})

test('moves an edited track to other lists', async () => {
  const ids = [
    await addTrack('One', ambient),
    await addTrack('Two', ambient),
    await addTrack('Three', funk),
  ]
  await update()
  await set(ids[1]!, funk)
  await update()
  expect(await listOf(ids[0]!)).toEqual([])
  expect(await listOf(ids[1]!)).toEqual([ids[2]])
  expect(await listOf(ids[2]!)).toEqual([ids[1]])
})

test('lists no drafts, and removes an unpublished track from all lists', async () => {
  const one = await addTrack('One', ambient)
  const two = await addTrack('Two', ambient)
  const draft = await addTrack('Draft', ambient, { published: false })
  await update()
  expect(await listOf(one)).toEqual([two])
  expect(await listOf(draft)).toBeUndefined()
  await set(two, { is_published: false })
  await update()
  expect(await listOf(one)).toEqual([])
  expect(await listOf(two)).toBeUndefined()
  await set(draft, { is_published: true })
  await update()
  expect(await listOf(one)).toEqual([draft])
})

test('does not mark a track for an update when other fields than the compared ones change', async () => {
  const id = await addTrack('One', ambient)
  await update()
  await set(id, { duration: 200 })
  expect(await waiting()).toBe(0)
})

test('does not update a track that was deleted', async () => {
  const id = await addTrack('One', ambient)
  await app.services.db.query.deleteFrom('tracks').where('id', '=', id).execute()
  await update()
  expect(await waiting()).toBe(0)
})

test('keeps the 50 most similar tracks in a list, and replaces the last one when a more similar one is added', async () => {
  const seed = await addTrack('Seed', { genre: 'dark ambient', tags: ['night', 'rain'] })
  for (let i = 0; i < 60; i += 1)
    await addTrack(`Track ${i}`, { genre: 'dark ambient', tags: [`tag${i}`] })
  await update()
  expect(await listOf(seed)).toHaveLength(50)
  const best = await addTrack('Best', { genre: 'dark ambient', tags: ['night', 'rain'] })
  await update()
  const list = (await listOf(seed))!
  expect(list).toHaveLength(50)
  expect(list[0]).toBe(best)
})

test('lists only one recording of a piece', async () => {
  const one = await addTrack('One', ambient)
  await addTrack('Two', ambient, { artist: 'Same' })
  await addTrack('Two (Remix)', ambient, { artist: 'Same' })
  await addTrack('One - live', ambient, { artist: 'Artist of One' })
  await update()
  expect(await listOf(one)).toHaveLength(1)
})

test('tracks that members play in one session get a higher similarity', async () => {
  const [one, two, three] = [
    await addTrack('One', {}),
    await addTrack('Two', {}),
    await addTrack('Three', {}),
  ]
  for (let i = 0; i < 4; i += 1) {
    const { id: member } = await app.makePerson()
    for (const [at, trackId] of [one, two, three].entries()) {
      // The third track is played a day later than the others.
      const time = sql<string>`now() - make_interval(hours => ${at === 2 ? 1 : 25}, mins => ${-at * 4})`
      await app.services.db.query
        .insertInto('plays')
        .values({
          id: randomUUID(),
          user_id: member,
          track_id: trackId,
          is_preview: false,
          started_at: time,
          reported_at: time,
          counted_at: time,
          heard_seconds: 90,
          duration_seconds: 100,
        })
        .execute()
    }
  }
  await update()
  expect(await listOf(one)).toEqual([two])
  expect(await listOf(three)).toEqual([])
})

test('a change during an update is included in the next update', async () => {
  const id = await addTrack('One', ambient)
  const running = update()
  await set(id, { tags: ['changed'] })
  await running
  await update()
  expect(await waiting()).toBe(0)
})

test('an aborted update rejects, and the next update completes the work', async () => {
  const one = await addTrack('One', ambient)
  const two = await addTrack('Two', ambient)
  const stopping = new AbortController()
  const running = updateNeighbors(app.services, { signal: stopping.signal })
  stopping.abort(new Error('the server is stopping'))
  await expect(running).rejects.toThrow('the server is stopping')
  await update()
  expect(await listOf(one)).toEqual([two])
})
