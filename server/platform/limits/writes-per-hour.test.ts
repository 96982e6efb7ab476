import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaylist } from '#contract/playlists.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { AppError } from '../operations/app-error.ts'
import type { Actor } from '../operations/context.ts'
import { createOperationLimits, writesPerHour } from './operation-limits.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const actor = (user_id: string, role: Actor['role'] = 'member') => ({
  actor: { user_id, role } as Actor,
})
const post = { method: 'POST' } as const

test('refuses writes of an account beyond the limit and returns the time until the hour ends', async () => {
  const limits = createOperationLimits(app.services.db)
  for (let i = 0; i < writesPerHour.count; i++) await limits.countWrite(post, actor('mia'))
  const refusal: unknown = await limits.countWrite(post, actor('mia')).catch((error) => error)
  expect(refusal).toBeInstanceOf(AppError)
  const { code, headers } = refusal as AppError
  expect(code).toBe('rate_limited')
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
})

test('does not count other accounts, reads, admins and visitors', async () => {
  const limits = createOperationLimits(app.services.db)
  for (let i = 0; i < writesPerHour.count; i++) {
    await limits.countWrite({ method: 'GET' }, actor('tom'))
    await limits.countWrite(post, actor('tom'))
    await limits.countWrite(post, actor('ada', 'admin'))
    await limits.countWrite(post, { actor: null })
  }
  await limits.countWrite(post, actor('mia'))
  await limits.countWrite(post, actor('ada', 'admin'))
  await limits.countWrite(post, { actor: null })
  await expect(limits.countWrite(post, actor('tom'))).rejects.toThrow(AppError)
})

test('counts every operation: a member reaches the limit at 5,000 writes', async () => {
  const [member, other] = [await app.makePerson(), await app.makePerson()]
  // The schema refuses the empty body, so each write is fast.
  const write = (who: typeof member) => who.send('POST', '/api/playlists', { body: {} })
  for (let sent = 0; sent < writesPerHour.count; sent += 50) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => write(member)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]))
  }
  expect((await write(member)).code).toBe('rate_limited')
  expect((await write(other)).status).toBe(400)
  expect((await member.send('GET', '/api/playlists')).status).toBe(200)
})

test('limits a member to 1,000 new playlists a day', async () => {
  const member = await app.makePerson({ tier: 'premium' })
  const create = () => member.call(createPlaylist, { body: { title: 'One more' } })
  expect((await create()).status).toBe(201)
  const counts = app.services.db.query.updateTable('rate_limits').set({ count: 999 })
  await counts.where('key', 'like', 'playlist:%').execute()
  expect((await create()).status).toBe(201)
  const refused = await create()
  expect(refused.code).toBe('rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
})
