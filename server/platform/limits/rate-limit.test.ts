import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { AppError } from '../operations/app-error.ts'
import {
  getAddressKey,
  createAddressKeys,
  createLimitedKey,
  type LimitedKey,
} from './limit-keys.ts'
import { deleteOldRateLimits, refundRateLimit, createSharedStore } from './limit-store.ts'
import { consumeRateLimit } from './rate-limit.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const limit = { name: 'test', count: 3, seconds: 60 }
const consume = (keys: LimitedKey[]) => consumeRateLimit(createSharedStore(database.db), keys)

async function outcomes(attempts: Promise<void>[]): Promise<('ok' | 'limited')[]> {
  const settled = await Promise.allSettled(attempts)
  return settled.map((result) => {
    if (result.status === 'fulfilled') return 'ok'
    if (result.reason instanceof AppError && result.reason.code === 'rate_limited') return 'limited'
    throw result.reason
  })
}

test('allows exactly as many concurrent attempts as the limit', async () => {
  const key = createLimitedKey(limit, 'crowd')
  const results = await outcomes(Array.from({ length: 30 }, () => consume([key])))
  expect(results.filter((result) => result === 'ok')).toHaveLength(3)
})

test('does not deadlock when two limits are used in either order', async () => {
  const wide = { ...limit, count: 1000 }
  const keys = [
    createLimitedKey(wide, 'a'),
    createLimitedKey(wide, 'b'),
    createLimitedKey(wide, 'c'),
  ]
  const results = await outcomes(
    Array.from({ length: 60 }, (_, i) => consume(i % 2 ? keys : keys.toReversed())),
  )
  expect(new Set(results)).toEqual(new Set(['ok']))
})

test('returns the longest waiting time of all used-up limits', async () => {
  const long = createLimitedKey({ name: 'long', count: 1, seconds: 900 }, 'x')
  const short = createLimitedKey({ name: 'short', count: 1, seconds: 60 }, 'x')
  await consume([long, short])
  const refused = await consume([long, short]).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'rate_limited', status: 429 })
  const seconds = Number((refused as AppError).headers['retry-after'])
  expect(seconds).toBeGreaterThan(890)
  expect(seconds).toBeLessThanOrEqual(900)
})

test('starts a new count after the window and deletes the old row', async () => {
  const key = createLimitedKey(limit, 'patient')
  for (let i = 0; i < 3; i++) await consume([key])
  expect(await outcomes([consume([key])])).toEqual(['limited'])
  const end = () =>
    database.db.query
      .updateTable('rate_limits')
      .set({ resets_at: sql`now() - interval '1 second'` })
      .where('key', '=', key.key)
      .execute()
  await end()
  expect(await outcomes([consume([key])])).toEqual(['ok'])
  await end()
  await deleteOldRateLimits(database.db)
  const left = await database.db.query
    .selectFrom('rate_limits')
    .select('key')
    .where('key', '=', key.key)
    .execute()
  expect(left).toEqual([])
})

test("refundRateLimit resets the account's limits and removes one attempt from those of the address", async () => {
  const account = createLimitedKey(limit, 'account')
  const address = createLimitedKey(limit, 'address')
  for (let i = 0; i < 3; i++) await consume([account, address])
  await refundRateLimit(database.db, { reset: [account], giveBack: [address] })
  expect(await outcomes([consume([account, address])])).toEqual(['ok'])
  expect(await outcomes([consume([address])])).toEqual(['limited'])
  expect(await outcomes([consume([account])])).toEqual(['ok'])
})

test('keys do not reveal the account or the address', () => {
  expect(createLimitedKey(limit, 'mia@example.com', '192.0.2.1').key).toMatch(/^test:[\w-]{22}$/)
  expect(createLimitedKey(limit, 'a', 'b').key).not.toBe(createLimitedKey(limit, 'ab').key)
})

test("counts an IPv4 address, or a household's IPv6 /64, as one address", () => {
  expect(getAddressKey('192.0.2.1')).toBe('192.0.2.1')
  expect(getAddressKey('2001:DB8:1:2::1')).toBe('2001:db8:1:2::')
  expect(getAddressKey('fe80::1%eth0')).toBe('fe80::')
  expect(getAddressKey('Unknown')).toBe('unknown')
  expect(getAddressKey('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(getAddressKey('2001:db8:1:2::1')).toBe(getAddressKey('2001:db8:1:2:ffff::9'))
  expect(getAddressKey('2001:db8:1:2::1')).not.toBe(getAddressKey('2001:db8:1:3::1'))
})

test('counts IPv6 at /64, /56 and /48, with higher limits for wider networks', () => {
  const keysOf = (ip: string) => createAddressKeys(limit, ip, 'mia').map(({ key }) => key)
  const maxOf = (ip: string) => createAddressKeys(limit, ip, 'mia').map((each) => each.limit.count)
  expect(maxOf('192.0.2.1')).toEqual([3])
  expect(maxOf('2001:db8:1:2::1')).toEqual([3, 12, 48])
  const shared = (a: string, b: string) => keysOf(a).map((key, place) => key === keysOf(b)[place])
  expect(shared('2001:db8:1:1001::1', '2001:db8:1:1001::2')).toEqual([true, true, true])
  expect(shared('2001:db8:1:1001::1', '2001:db8:1:1002::1')).toEqual([false, true, true])
  expect(shared('2001:db8:1:1001::1', '2001:db8:1:2001::1')).toEqual([false, false, true])
  expect(shared('2001:db8:1:1001::1', '2001:db8:2:1001::1')).toEqual([false, false, false])
  // The first address of a network has another key than the network.
  expect(new Set(keysOf('2001:db8:1::1')).size).toBe(3)
  expect(keysOf('2001:db8:1:2::1')).not.toEqual(
    createAddressKeys(limit, '2001:db8:1:2::1', 'zoe').map(({ key }) => key),
  )
})
