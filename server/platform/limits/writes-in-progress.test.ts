// Sends more concurrent writes than allowed, while a table lock blocks them all.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { likeTrack } from '#contract/tracks.ts'
import { signIn } from '#contract/auth.ts'
import { transaction } from '../db/database.ts'
import { createTestApp, type TestResponse, type TestApp } from '../../testing/test-app.ts'
import { maxWritesInProgress } from './operation-limits.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const tooMany = 5

/**
 * Sends `count` writes while `table` is locked. Returns the responses that arrived while it was locked, and all
 * responses.
 */
async function sendWhileLocked(
  table: 'likes' | 'rate_limits',
  count: number,
  send: () => Promise<TestResponse>,
) {
  const early: TestResponse[] = []
  const sent = await transaction(app.services.db, async (trx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(trx.query)
    const sending = Array.from({ length: count }, send)
    for (const response of sending) void response.then((given) => early.push(given))
    await expect.poll(() => early.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(tooMany)
    return { early: [...early], sending }
  })
  return { early: sent.early, responses: await Promise.all(sent.sending) }
}

const refusal = { status: 429, code: 'rate_limited' }

test('limits the concurrent writes of an account until they end, and does not delay other accounts', async () => {
  const [person, other] = [await app.makePerson(), await app.makePerson()]
  const params = { id: crypto.randomUUID() }
  const like = () => person.call(likeTrack, { params })
  // Both calls cache the session of the caller.
  for (const who of [person, other])
    expect((await who.call(likeTrack, { params })).status).toBe(404)

  const others: Promise<TestResponse>[] = []
  const { early, responses } = await sendWhileLocked('likes', maxWritesInProgress + tooMany, () => {
    if (others.length < tooMany) others.push(other.call(likeTrack, { params }))
    return like()
  })
  expect(early).toHaveLength(tooMany)
  for (const response of early) {
    expect(response).toMatchObject(refusal)
    expect(response.headers.get('retry-after')).toBe('1')
  }
  expect(responses.filter(({ status }) => status === 404)).toHaveLength(maxWritesInProgress)
  for (const response of await Promise.all(others)) expect(response.status).toBe(404)
  expect((await like()).status).toBe(404)
})

test('does not count reads', async () => {
  const person = await app.makePerson()
  const params = { id: crypto.randomUUID() }
  await person.call(likeTrack, { params })
  const reads: Promise<TestResponse>[] = []
  await sendWhileLocked('likes', maxWritesInProgress + tooMany, () => {
    reads.push(person.send('GET', '/api/profile'))
    return person.call(likeTrack, { params })
  })
  for (const response of await Promise.all(reads)) expect(response.status).toBe(200)
})

test('limits visitors by address', async () => {
  const body = { email: 'nobody@velour.test', password: 'not their password' }
  const send = () => app.nobody.call(signIn, { body })
  const { early } = await sendWhileLocked('rate_limits', maxWritesInProgress + tooMany, send)
  expect(early).toHaveLength(tooMany)
  for (const response of early) {
    expect(response).toMatchObject(refusal)
    expect(response.headers.get('retry-after')).toBe('1')
  }
})
