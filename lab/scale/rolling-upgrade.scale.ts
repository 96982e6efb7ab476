// Upgrades a service from the previous version under load, one instance after another, and takes one instance back to
// the previous version. Clients must notice nothing, no acknowledged write may be lost, and each version must complete
// jobs of the other.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  auditAll,
  uploadTrack,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad, type Load } from '../load/load.ts'
import { createFaultClient } from '../load/fault-client.ts'
import { worldEnv } from '../load/one-process.ts'
import { createBrowser } from '../load/readers.ts'
import { memberPassword, type Writer } from '../load/writer.ts'
import { type Cluster, clusterAdmin, startCluster } from '../cluster/cluster.ts'
import type { ClusterProcess } from '../cluster/cluster-process.ts'
import { buildVersionBefore, type OtherVersion } from '../cluster/version-before.ts'
import { recordEvents } from '#server/testing/record-events.ts'
import { createApiClient, waitForTrack } from '../../e2e/harness/api-client.ts'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { makeCrowd } from '../cluster/cluster-people.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { PacedListener } from './paced-listener.ts'
import { openAs } from '../../e2e/harness/people.ts'

const thisVersion = join(import.meta.dirname, '..', '..', 'server', 'main.ts')
const ownDist = join(import.meta.dirname, '..', '..', 'dist')
const listenerCount = 40
const trackSeconds = 240
/** Time between two steps, so that late errors are seen. */
const phaseMs = 4_000
/** Makes the writers of the fault tests this much slower, to a realistic load. */
const slower = 4

let folder: string
let before: OtherVersion
let cluster: Cluster
let world: FaultWorld
let browser: Browser
let writers: Writer[]
let load: Load
let listeners: PacedListener[]
let agent: Agent
/** A page that was loaded from the previous version and is kept open. */
let early: { page: Page; problems: string[] }
const runsNew = new Set<string>()
const webs = () => cluster.instances as [ClusterProcess, ClusterProcess, ClusterProcess]
const workers = () => cluster.workers as [ClusterProcess, ClusterProcess]
const readLog = ({ name }: ClusterProcess) =>
  readFileSync(join(cluster.folder, 'logs', `${name}.log`), 'utf8')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'velour-before-'))
  before = buildVersionBefore(folder)
  cluster = await startCluster({
    workers: 2,
    trustsForwardedAddresses: true,
    settings: (given) => ({ ...given, ...worldEnv, S3_DELIVERY: 'proxy' }),
    entryOf: (name) => (runsNew.has(name) ? thisVersion : before.entry),
  })
  const processes = [...cluster.instances, ...cluster.workers]
  world = await openWorld({
    urls: [cluster.address],
    owner: cluster.database.owner,
    s3: cluster.store.options,
    dataDirs: processes.map(({ name }) => join(cluster.folder, name)),
    output: () => processes.map(readLog).join(''),
    close: () => cluster.stop(),
  })
  const long = await uploadTrack(world.owner, 'Long', makeWav(trackSeconds, 262))
  const owner = createApiClient(cluster.address)
  await owner.signIn(clusterAdmin)
  await waitForTrack(owner, long)
  writers = [
    ...createWriters(world),
    ...world.members.map((member) => createBrowser(world, member)),
  ]
  load = startLoad(writers.map((one) => ({ ...one, everyMs: one.everyMs * slower })))
  await startListeners(long)
  browser = await launchBrowser()
  early = await openAs(browser, { url: cluster.address }, { ...clusterAdmin, id: '' }, '/admin')
  await early.page.getByRole('heading', { level: 1 }).waitFor()
  await early.page.evaluate(() => Object.assign(window, { wasOpenedEarly: true }))
}, 240_000)

afterAll(async () => {
  await browser?.close()
  for (const one of listeners ?? []) one.stop()
  agent?.destroy()
  await load?.pause()
  await (world?.close() ?? cluster?.stop())
  rmSync(folder, { recursive: true, force: true })
}, 90_000)

async function startListeners(trackId: string): Promise<void> {
  const crowd = await makeCrowd(cluster, listenerCount)
  agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const url = `${cluster.address}/api/tracks/${trackId}/stream`
  const first = await fetch(url, { headers: { cookie: crowd[0]!.cookie, range: 'bytes=0-0' } })
  await first.body?.cancel()
  const bytes = Number(first.headers.get('content-range')?.split('/')[1])
  const bytesPerSecond = bytes / trackSeconds
  listeners = crowd.map(({ cookie }) => new PacedListener({ url, cookie, agent, bytesPerSecond }))
}

/** Stops an instance with SIGTERM, and starts the other version in its place. */
async function replace(one: ClusterProcess, by: 'new' | 'old'): Promise<void> {
  const isRough = !runsNew.has(one.name) && !before.drains
  if (isRough) await load.pause()
  await one.stop()
  if (isRough) load.resume()
  if (by === 'new') runsNew.add(one.name)
  else runsNew.delete(one.name)
  await one.start()
  await sleep(phaseMs)
}

const getUrl = ({ port }: ClusterProcess) => `http://127.0.0.1:${port}`

async function signInAt(one: ClusterProcess) {
  const client = createApiClient(getUrl(one))
  await client.signIn(clusterAdmin)
  return client
}

test('the first new instance migrates while two old ones run', { timeout: 120_000 }, async () => {
  const [one, two] = webs()
  const { rows: known } = await world.db.pool.query('select name from schema_migrations')
  await replace(one, 'new')
  const { rows: now } = await world.db.pool.query('select name from schema_migrations')
  console.log(
    `from ${before.name}: ${now.length - known.length} migrations under running instances`,
  )
  if (!process.env['OLD_VERSION']) expect(now.length).toBeGreaterThan(known.length)

  // Each version accepts sessions of the other.
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    const { email } = world.members[0]!
    const member = createApiClient(getUrl(from))
    await member.signIn({ email, password: memberPassword })
    const headers = { cookie: member.cookie() }
    const response = await fetch(`${getUrl(to)}/api/profile`, { headers })
    expect(await response.json()).toMatchObject({ data: { email } })
  }
})

test('a change at one version is sent to event streams of both', async () => {
  const [crowdMember] = await makeCrowd(cluster, 1)
  const { id, cookie } = crowdMember!
  for (const changedAt of webs()) {
    const streams = await Promise.all(webs().map((one) => recordEvents(getUrl(one), cookie)))
    const admin = await signInAt(changedAt)
    for (const subscription_tier of ['free', 'monthly']) {
      const path = `/api/admin-users/${id}/subscription`
      expect((await admin.send('PATCH', path, { subscription_tier })).status).toBe(200)
    }
    for (const { events } of streams) {
      await expect
        .poll(() => events, { timeout: 5_000 })
        .toContainEqual({ topic: 'session', id: '' })
    }
    for (const { stop } of streams) stop()
  }
})

test('a page gets the files of the web app from instances of either version', async () => {
  const { email } = world.members[0]!
  for (let load = 0; load < 4; load++) {
    const who = { id: '', email, password: memberPassword }
    const { page, problems } = await openAs(browser, { url: cluster.address }, who, '/browse')
    await page.getByRole('button', { name: 'Play All' }).waitFor()
    await page.getByRole('link', { name: 'My Playlists' }).first().click()
    await page.getByRole('heading', { name: 'My Playlists' }).first().waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  }
  const [oldFiles, newFiles] = [hashedFiles(before.dist), hashedFiles(ownDist)]
  const differ = newFiles.filter((name) => !oldFiles.includes(name))
  console.log(`${differ.length} of ${newFiles.length} files of the web app differ`)
  for (const one of webs()) {
    for (const name of [...oldFiles, ...newFiles]) {
      const { status } = await fetch(`${getUrl(one)}/assets/${name}`)
      expect(status, `${name} at ${one.name}`).toBe(200)
    }
  }
})

function hashedFiles(dist: string): string[] {
  return readdirSync(join(dist, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name))
}

test(
  'jobs of the old version are completed by the new one, and vice versa',
  { timeout: 180_000 },
  async () => {
    const [first, second] = workers()
    await replace(first, 'new')
    const [newWeb, oldWeb] = webs()
    for (const { at, away } of [
      { at: oldWeb, away: second },
      { at: newWeb, away: first },
    ]) {
      // Stop one worker, so that only the worker of the other version runs.
      await away.stop()
      const client = createFaultClient(() => getUrl(at), world.responses)
      await client.signIn(clusterAdmin)
      const id = await uploadTrack(client, `Begun at ${at.name}`, makeWav(4, 330))
      const track = await waitForTrack(await signInAt(at), id)
      expect(track.processing_status).toBe('ready')
      await away.start()
    }
  },
)

test(
  'the upgrade completes, one instance goes back to the old version, and no client notices',
  { timeout: 300_000 },
  async () => {
    const [, two, three] = webs()
    for (const one of [two, three, workers()[1]]) await replace(one, 'new')
    await checkEarlyPage()
    await replace(three, 'old')
    expect(readLog(three)).toContain('A newer Velour has migrated the database')
    const back = await signInAt(three)
    expect((await back.send('GET', '/api/admin-tracks')).status).toBe(200)
    await sleep(phaseMs)

    const heard = listeners.map((one) => one.stop())
    agent.destroy()
    await load.pause()
    const problems = await auditAll(world, writers)
    const { responses } = world
    console.log(
      `acknowledged ${JSON.stringify(load.acknowledged())}; responses ${JSON.stringify(responses.byStatus())}; ` +
        `${heard.length} listeners, each at least ${Math.min(...heard.map(({ heardSeconds }) => heardSeconds)).toFixed(0)} s`,
    )
    expect(problems, `FAULT_SEED=${world.chance.seed}`).toEqual([])
    expect(responses.failures).toEqual([])
    expect(heard.filter(({ silentMs, refused }) => silentMs > 0 || refused > 0)).toEqual([])
  },
)

/** Checks the page that was loaded from the old version, when all instances run the new one. */
async function checkEarlyPage(): Promise<void> {
  const { page, problems } = early
  const goTo = async (link: string, heading: string) => {
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const isSamePage = () => page.evaluate(() => 'wasOpenedEarly' in window)
  await goTo('Categories', 'Category Management')
  expect(await isSamePage()).toBe(true)
  expect(problems).toEqual([])

  // Simulate a page that was opened weeks ago: delete the old files from the database, and restart an instance to empty
  // its cache.
  const old = hashedFiles(before.dist)
  const paths = old.map((name) => `/assets/${name}`)
  await world.db.pool.query('delete from web_assets where path = any($1)', [paths])
  await replace(webs()[0], 'new')
  await goTo('Audit Log', 'Audit Log')
  const screen = old.find((name) => /^audit-screen-.*\.js$/.test(name))
  expect(screen).toBeDefined()
  // The page reloads itself, unless the new version has this file, too.
  expect(await isSamePage()).toBe(hashedFiles(ownDist).includes(screen!))
}
