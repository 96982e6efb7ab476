import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { splitHosts } from './database-hosts.ts'
import { createDatabase } from '../db/database.ts'
import { openListener } from '../db/listener.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.drop())

test('splits a URL with several servers into one URL each', () => {
  expect(splitHosts('postgres://u:p%40@one:5433,two/name?sslmode=require').map(String)).toEqual([
    'postgres://u:p%40@one:5433/name?sslmode=require',
    'postgres://u:p%40@two/name?sslmode=require',
  ])
  expect(() => splitHosts('postgres://one:port,two/name')).toThrow(TypeError)
})

test('after a failure of the primary, queries and LISTEN connect to the next server', async () => {
  const first = await openProxy()
  const second = await openProxy()
  const connectionString = addressOf(first, second)
  const missed: string[] = []
  const received: string[] = []
  const log = { info() {}, warn() {}, error() {} }
  const db = createDatabase({ connectionString, maxConnections: 3, log })
  await second.close()
  expect(await queryOne(db)).toBe(1)
  const listener = await openListener({
    connectionString,
    channel: 'failover',
    log,
    onNotification: (payload) => received.push(payload),
    onMissed: () => missed.push('missed'),
  })

  await second.open()
  await first.close()
  await expect.poll(() => queryOne(db).catch(() => 'away'), { timeout: 15_000 }).toBe(1)
  await expect.poll(() => missed, { timeout: 15_000 }).toEqual(['missed'])
  await sql`select pg_notify('failover', 'back')`.execute(db.query)
  await expect.poll(() => received).toEqual(['back'])

  await listener.close()
  await db.close()
  await second.close()
})

const queryOne = async (db: ReturnType<typeof createDatabase>) => {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db.query)
  return rows[0]!.one
}

interface TestProxy {
  port: number
  open: () => Promise<void>
  /** Closes the proxy and all open connections. */
  close: () => Promise<void>
}

/** Opens a port that forwards to the test's PostgreSQL and can be closed, to simulate a server that fails. */
async function openProxy(): Promise<TestProxy> {
  const target = new URL(testDatabase.connectionString)
  const socketFolder = target.searchParams.get('host')
  const inside = new Set<Socket>()
  const lead = (): Server =>
    createServer((client) => {
      const server = socketFolder
        ? connect(`${socketFolder}/.s.PGSQL.${target.port || 5432}`)
        : connect(Number(target.port), target.hostname)
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        inside.add(from)
        from.on('close', () => inside.delete(from))
        from.on('error', () => to.destroy())
        from.pipe(to)
      }
    })
  let server = lead().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async open() {
      server = lead().listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of inside) socket.destroy()
      await closed
    },
  }
}

function addressOf(...proxies: TestProxy[]): string {
  const { username, password, pathname } = new URL(testDatabase.connectionString)
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return `postgres://${username}:${password}@${hosts}${pathname}`
}
