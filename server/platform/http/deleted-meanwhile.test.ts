import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { likeTrack } from '#contract/tracks.ts'
import { transaction } from '../db/database.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('returns 404 when the track is deleted concurrently', async () => {
  const person = await app.makePerson()
  const { db } = app.services
  const { id } = await db.query
    .insertInto('tracks')
    .values({ title: 'Gone', artist: 'Soon', processing_status: 'ready', is_published: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { answer } = await transaction(db, async (trx) => {
    await trx.query.deleteFrom('tracks').where('id', '=', id).execute()
    // The request still reads the track. Its foreign key check then waits for this transaction.
    const answer = person.call(likeTrack, { params: { id } })
    await expect.poll(countWaiting, { timeout: 5000, interval: 10 }).toBe(1)
    // Not awaited here, because the response is only sent after this transaction has ended.
    return { answer }
  })
  const { status, code } = await answer
  expect([status, code]).toEqual([404, 'track_not_found'])
})

async function countWaiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(app.services.db.query)
  return rows.length
}
