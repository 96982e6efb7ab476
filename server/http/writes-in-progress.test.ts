// More changes at once than anybody has, while the database is made to keep them all waiting.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { likeTrack } from '#contract/tracks.ts'
import { signIn } from '#contract/auth.ts'
import { transaction } from '../db/database.ts'
import { createTestApp, type Answer, type TestApp } from '../testing/test-app.ts'
import { maxWritesInProgress } from './writes-in-progress.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const tooMany = 5

/** Asks for `count` changes while nothing can write to `table`; gives the answers that came all the same, and all. */
async function askWhileLocked(
  table: 'likes' | 'rate_limits',
  count: number,
  ask: () => Promise<Answer>,
) {
  const early: Answer[] = []
  const asked = await transaction(app.services.db, async (trx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(trx.query)
    const asking = Array.from({ length: count }, ask)
    for (const answer of asking) void answer.then((given) => early.push(given))
    await expect.poll(() => early.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(tooMany)
    return { early: [...early], asking }
  })
  return { early: asked.early, answers: await Promise.all(asked.asking) }
}

const refusal = { status: 429, code: 'rate_limited' }

test('an account has a ceiling of changes under way, nobody else waits for it, and it ends with them', async () => {
  const [person, other] = [await app.makePerson(), await app.makePerson()]
  const params = { id: crypto.randomUUID() }
  const like = () => person.call(likeTrack, { params })
  // Both are known from now on.
  for (const who of [person, other])
    expect((await who.call(likeTrack, { params })).status).toBe(404)

  const others: Promise<Answer>[] = []
  const { early, answers } = await askWhileLocked('likes', maxWritesInProgress + tooMany, () => {
    if (others.length < tooMany) others.push(other.call(likeTrack, { params }))
    return like()
  })
  expect(early).toHaveLength(tooMany)
  for (const answer of early) {
    expect(answer).toMatchObject(refusal)
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(maxWritesInProgress)
  for (const answer of await Promise.all(others)) expect(answer.status).toBe(404)
  expect((await like()).status).toBe(404)
})

test('reading is not counted, whatever is under way', async () => {
  const person = await app.makePerson()
  const params = { id: crypto.randomUUID() }
  await person.call(likeTrack, { params })
  const reads: Promise<Answer>[] = []
  await askWhileLocked('likes', maxWritesInProgress + tooMany, () => {
    reads.push(person.send('GET', '/api/profile'))
    return person.call(likeTrack, { params })
  })
  for (const answer of await Promise.all(reads)) expect(answer.status).toBe(200)
})

test('signed out it is the address that has one', async () => {
  const body = { email: 'nobody@velour.test', password: 'not their password' }
  const ask = () => app.nobody.call(signIn, { body })
  const { early } = await askWhileLocked('rate_limits', maxWritesInProgress + tooMany, ask)
  expect(early).toHaveLength(tooMany)
  for (const answer of early) {
    expect(answer).toMatchObject(refusal)
    expect(answer.headers.get('retry-after')).toBe('1')
  }
})
