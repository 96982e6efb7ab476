// Tests the two databases of compose.scale.yaml: both are set up in the order of the official image, a commit is on
// both, and the standby takes over alone.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import { createDatabase } from '#server/platform/db/database.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { type ComposedServers, createComposedServers, passwords } from './composed-servers.ts'
import { waitUntil } from '../../e2e/harness/service.ts'

const log = { info() {}, warn: console.warn, error: console.error }
const timeoutMs = 30_000
let servers: ComposedServers
let primary: ChildProcess

beforeAll(async () => {
  servers = await createComposedServers()
})
afterAll(() => servers?.stop())

const isHealthy = (work: () => Promise<unknown>) =>
  work().then(
    () => true,
    () => false,
  )

const queryAs = (name: 'database-1' | 'database-2', statement: string) =>
  queryAt(servers.superuser(name), statement)

test('the primary is set up without a standby, and is healthy only after that', async () => {
  await servers.initialize()
  const setUp = servers.startPrimary('')
  await waitUntil(() => isHealthy(() => servers.psql('postgres', 'select')), timeoutMs)
  await servers.psql('postgres', 'create database velour')
  expect(await servers.isHealthy()).toBe(false)
  await servers.runPrimaryScript()
  setUp.kill('SIGINT')
  await once(setUp, 'exit')
  primary = servers.startPrimary('127.0.0.1')
  await waitUntil(() => servers.isHealthy(), timeoutMs, 'the first server')
}, 60_000)

test('the standby copies the primary and replicates it, and a commit is on both', async () => {
  // Create what an aborted copy would leave.
  const unfinished = `${servers.standbyFolder}.unfinished`
  mkdirSync(unfinished)
  writeFileSync(join(unfinished, 'PG_VERSION'), '1')
  servers.startStandby()
  const states = () =>
    queryAs('database-1', 'select application_name, sync_state from pg_stat_replication')
  await expect
    .poll(() => states(), { timeout: timeoutMs })
    .toEqual([{ application_name: 'database_2', sync_state: 'sync' }])
  const [owner, app] = [`velour:${passwords.owner}`, `velour_app:${passwords.app}`]
  await prepareDatabase({ owner: servers.both(owner), app: servers.both(app) }, { log })
  await queryAs('database-1', `insert into genres (name) values ('On both')`)
  // The standby has the commit, but shows it only a moment later.
  await expect.poll(() => queryAs('database-2', 'select name from genres')).toHaveLength(1)
}, 60_000)

test('the standby takes over, and its commits wait for no other server', async () => {
  const connectionString = servers.both(`velour_app:${passwords.app}`)
  const db = createDatabase({ connectionString, maxConnections: 2, log })
  try {
    await servers.kill(primary)
    await queryAs('database-2', 'select pg_promote()')
    const write = () => db.query.insertInto('genres').values({ name: 'After' }).execute()
    await waitUntil(() => isHealthy(write), timeoutMs, 'a write')
    const rows = await queryAs('database-2', 'select name from genres order by name')
    expect(rows).toEqual([{ name: 'After' }, { name: 'On both' }])
  } finally {
    await db.close()
  }
}, 60_000)
