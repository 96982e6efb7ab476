// Repairing a rendition that is missing when it is played, with repeated reports to several instances.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createRepairOnPlay } from './repair-on-play.ts'

let database: TestDatabase
const enqueued: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A new instance without cached reports, as after a restart of the server. */
const newInstance = () =>
  createRepairOnPlay({
    db: database.db,
    jobs: {
      enqueue: async (_trx, _name, payload) => void enqueued.push(JSON.stringify(payload)),
    },
    log: database.db.log,
  })

async function makeTrack(): Promise<{ id: string; key: string; sourceKey: string }> {
  const sourceKey = `uploads/audio/${crypto.randomUUID()}.wav`
  const { id } = await database.db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', source_key: sourceKey })
    .returning('id')
    .executeTakeFirstOrThrow()
  const key = `audio/${id}/high.m4a`
  await database.db.query
    .insertInto('renditions')
    .values({
      track_id: id,
      kind: 'high',
      storage_key: key,
      mime: 'audio/mp4',
      byte_size: 1,
      duration_seconds: 1,
      etag: 'a',
    })
    .execute()
  return { id, key, sourceKey }
}

const problemOf = async (key: string) => {
  const row = await database.db.query
    .selectFrom('stored_files')
    .select('problem')
    .where('storage_key', '=', key)
    .executeTakeFirst()
  return row?.problem
}

test('enqueues processing of the track once a day, regardless of the number of reports', async () => {
  const { id, key } = await makeTrack()
  enqueued.length = 0
  newInstance()(id, key)
  await expect.poll(() => problemOf(key)).toBe('missing')
  newInstance()(id, key)
  await sleep(300)
  expect(enqueued).toHaveLength(1)
  await database.db.query
    .updateTable('stored_files')
    .set({ repair_queued_at: new Date(Date.now() - 25 * 3600_000).toISOString() })
    .execute()
  newInstance()(id, key)
  await expect.poll(() => enqueued.length).toBe(2)
})

test('enqueues no processing if the recording is damaged or the file was already replaced', async () => {
  const { id, key, sourceKey } = await makeTrack()
  enqueued.length = 0
  await database.db.query
    .insertInto('stored_files')
    .values({ storage_key: sourceKey, problem: 'wrong_bytes' })
    .execute()
  newInstance()(id, key)
  await expect.poll(() => problemOf(key)).toBe('missing')
  newInstance()(id, 'audio/replaced/high.m4a')
  await sleep(300)
  expect(enqueued).toEqual([])
  expect(await problemOf('audio/replaced/high.m4a')).toBeUndefined()
})
