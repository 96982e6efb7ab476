// Tests that lists are read from the standby and yet contain a person's own changes, also while the standby lags,
// hangs, is down or was promoted.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, clusterAdmin, startCluster } from '../cluster/cluster.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { makeCrowd } from '../cluster/cluster-people.ts'

let cluster: Cluster
let admin: ReturnType<typeof createBrowserLike>

beforeAll(async () => {
  cluster = await startCluster({ instances: 2, workers: 0, store: 'stand-in' })
  await makeCrowd(cluster, 50)
  admin = createBrowserLike()
  const { status } = await admin.send('POST', '/api/auth/sign-in/email', 0, clusterAdmin)
  if (status !== 200) throw new Error(`Signing in returned ${status}`)
}, 120_000)

afterAll(() => cluster?.stop(), 60_000)

/** Creates an HTTP client with cookies. Each request can go to either instance. */
function createBrowserLike() {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method: string, path: string, instance: 0 | 1, body?: unknown) {
      const { port } = cluster.instances[instance]!
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (name !== undefined && value !== undefined) cookies.set(name, value)
      }
      const text = await response.text()
      const json = (text.startsWith('{') ? JSON.parse(text) : {}) as {
        data: { id: string; display_name: string }[]
      }
      return { status: response.status, body: json }
    },
  }
}

function asSuperuser<T extends pg.QueryResultRow>(
  which: 'primary' | 'standby',
  statement: string,
): Promise<T[]> {
  const { database } = cluster
  return queryAt(database.superuser(database[which]), statement)
}

/** Returns how often the standby has scanned `profiles`, from its statistics. */
async function countStandbyReads(): Promise<number> {
  const [row] = await asSuperuser<{ reads: string }>(
    'standby',
    `select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0) as reads from pg_stat_user_tables where relname = 'profiles'`,
  )
  return Number(row!.reads)
}

const listPeople = (instance: 0 | 1) =>
  admin.send('GET', '/api/admin-users?sort=created_at&direction=asc&page_size=100', instance)

async function rename(id: string, display_name: string): Promise<void> {
  const answer = await admin.send('PATCH', `/api/admin-users/${id}`, 0, { display_name })
  expect(answer.status).toBe(200)
}

/** Requests lists until one was read from the standby. */
async function waitForStandbyRead(): Promise<boolean> {
  const before = await countStandbyReads()
  const giveUpAt = Date.now() + 40_000
  while (Date.now() < giveUpAt) {
    await listPeople(1)
    // Wait, because the statistics are updated with a delay.
    await sleep(300)
    if ((await countStandbyReads()) > before) return true
  }
  return false
}

test('lists are read from the standby', { timeout: 60_000 }, async () => {
  expect(await waitForStandbyRead()).toBe(true)
})

test('the next list from either instance contains a change, also while the standby lags', async () => {
  const person = (await listPeople(0)).body.data[5]!
  const nameIn = async (instance: 0 | 1) =>
    (await listPeople(instance)).body.data.find(({ id }) => id === person.id)?.display_name
  for (let round = 0; round < 20; round++) {
    await rename(person.id, `Round ${round}`)
    expect(await nameIn(1)).toBe(`Round ${round}`)
    expect(await nameIn(0)).toBe(`Round ${round}`)
  }
  await asSuperuser('standby', 'select pg_wal_replay_pause()')
  try {
    await rename(person.id, 'While it was held')
    expect(await nameIn(1)).toBe('While it was held')
    expect(await nameIn(0)).toBe('While it was held')
  } finally {
    await asSuperuser('standby', 'select pg_wal_replay_resume()')
  }
  expect(await waitForStandbyRead()).toBe(true)
}, 60_000)

test('a standby that hangs or is down delays a list by at most seconds, and is used again once it works', async () => {
  cluster.database.standby.pause()
  try {
    const startedAt = performance.now()
    expect((await listPeople(1)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    const again = performance.now()
    expect((await listPeople(1)).status).toBe(200)
    expect(performance.now() - again).toBeLessThan(2_000)
  } finally {
    cluster.database.standby.resume()
  }
  expect(await waitForStandbyRead()).toBe(true)
  await cluster.database.standby.kill()
  for (let i = 0; i < 5; i++) expect((await listPeople(1)).status).toBe(200)
  await cluster.database.standby.start()
  expect(await waitForStandbyRead()).toBe(true)
}, 90_000)

test('a promoted standby serves all lists until it has a standby of its own', async () => {
  await cluster.database.promote()
  await expect
    .poll(async () => (await listPeople(1)).status, { timeout: 20_000, interval: 200 })
    .toBe(200)
  const [person] = (await listPeople(1)).body.data
  await rename(person!.id, 'After the failover')
  expect((await listPeople(1)).body.data[0]!.display_name).toBe('After the failover')
  await cluster.database.rejoin()
  expect(await waitForStandbyRead()).toBe(true)
}, 90_000)
