// The service that fault tests run against, with people, music, categories and billing.
import type { Settings } from '#contract/admin/admin-settings.ts'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { createDatabase, type Database } from '#server/platform/db/database.ts'
import { openStorage, type OpenStorage } from '#server/platform/storage/open-storage.ts'
import type { S3Options } from '#server/platform/config/s3-options.ts'
import { testPrices } from '#server/testing/stripe/stripe-payloads.ts'
import { admin, waitUntil } from '../../e2e/harness/service.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { auditJobRuns, findFailures } from './audit-log-lines.ts'
import { auditObjects, auditOrders, auditScratch, auditTracks, drainJobs } from './audit-world.ts'
import { createResponseLog, createFaultClient, type FaultClient } from './fault-client.ts'
import { createLikeWriter } from './like-writer.ts'
import { createCategoryWriter, createSettingsWriter } from './owner-writer.ts'
import { createPlayWriter } from './play-writer.ts'
import { createPlaylistWriter } from './playlist-writer.ts'
import { createPurchaseWriter, webhookSecret } from './purchase-writer.ts'
import { createSeededRandom } from './seeded-random.ts'
import { createSignUpWriter } from './sign-up-writer.ts'
import { createUploadWriter } from './upload-writer.ts'
import {
  memberPassword,
  type WriterWorld,
  type Member,
  type SavedSettings,
  type Writer,
} from './writer.ts'

/** How to reach the service, which is one process or several. */
export interface Site {
  urls: string[]
  /** Connection string for the role that owns the tables. */
  owner: string
  /** The object store itself, without a proxy that causes faults. Null if files are in the first data folder. */
  s3: S3Options | null
  dataDirs: string[]
  /** The output of all processes, including those that were killed. */
  output: () => string
  close: () => Promise<void>
}

export interface FaultWorld extends WriterWorld {
  site: Site
  settings: SavedSettings
  db: Database
  storage: OpenStorage
  close: () => Promise<void>
}

const trackSeconds = 6

/** Creates people, music, categories and billing settings. Sends requests to the instances in turn. */
export async function openWorld(
  site: Site,
  { tracks = 5, members = 6 }: { tracks?: number; members?: number } = {},
): Promise<FaultWorld> {
  const responses = createResponseLog()
  let asked = 0
  const url = () => site.urls[asked++ % site.urls.length]!
  const owner = createFaultClient(url, responses)
  await owner.signIn(admin)
  const log = { info() {}, warn() {}, error: console.error }
  const db = createDatabase({ connectionString: site.owner, maxConnections: 4, log })
  const where = { s3: site.s3, dataDir: site.dataDirs[0]! }
  const storage = await openStorage(where)
  const settings = await enableBilling(owner)
  return {
    site,
    url,
    chance: createSeededRandom(),
    responses,
    owner,
    settings,
    db,
    storage,
    categoryIds: await makeCategories(owner),
    members: await makeMembers(url, owner, responses, members),
    trackIds: await makeTracks(owner, tracks),
    async close() {
      await db.close()
      await storage.close()
      await site.close()
    },
  }
}

async function expectSuccess(client: FaultClient, method: string, path: string, body: unknown) {
  const response = await client.send(method, path, { body })
  if (response.status >= 300 || response.status === 0) {
    throw new Error(
      `${method} ${path} returned ${response.status} ${JSON.stringify(response.body)}`,
    )
  }
  return response.body
}

/** Saves the settings once. The check of the settings expects exactly one save before the load starts. */
async function enableBilling(owner: FaultClient): Promise<SavedSettings> {
  const { updated_at: _, ...settings } = (await owner.send('GET', '/api/admin-settings'))
    .body as unknown as Settings
  const saved = await expectSuccess(owner, 'POST', '/api/admin-settings', {
    action: 'update',
    settings: {
      ...settings,
      preview_length_seconds: 3,
      stripe_price_monthly: testPrices.monthly,
      stripe_price_yearly: testPrices.yearly,
      stripe_webhook_secret: webhookSecret,
    },
  })
  const {
    stripe_webhook_secret: __,
    admins_need_two_factor: ___,
    ...plain
  } = saved as unknown as Settings
  return plain
}

async function makeCategories(owner: FaultClient): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < 5; number++) {
    const body = { category: `shelf-${number}`, display_name: `Shelf ${number}` }
    const { id } = await expectSuccess(owner, 'POST', '/api/admin-categories', body)
    ids.push(String(id))
  }
  return ids
}

/** Creates members. Every second one has Premium. */
async function makeMembers(
  url: () => string,
  owner: FaultClient,
  responses: WriterWorld['responses'],
  count: number,
): Promise<Member[]> {
  const members: Member[] = []
  for (let number = 0; number < count; number++) {
    const email = `member-${number}@example.com`
    const body = { email, password: memberPassword, role: 'member' }
    const id = String((await expectSuccess(owner, 'POST', '/api/admin-users', body))['id'])
    const isPremium = number % 2 === 0
    if (isPremium) {
      const plan = { subscription_tier: 'monthly' }
      await expectSuccess(owner, 'PATCH', `/api/admin-users/${id}/subscription`, plan)
    }
    const client = createFaultClient(url, responses)
    await client.signIn({ email, password: memberPassword })
    members.push({ id, email, client, hears: isPremium ? 'stream' : 'preview' })
  }
  return members
}

async function makeTracks(owner: FaultClient, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const wav = makeWav(trackSeconds, 220 + number * 20)
    ids.push(await uploadTrack(owner, `Track ${number}`, wav))
  }
  for (const id of ids) {
    await waitUntil(
      async () => {
        const { body } = await owner.send('GET', `/api/admin-tracks/${id}`)
        return body['processing_status'] === 'ready'
      },
      120_000,
      'the pipeline',
    )
  }
  return ids
}

/** Uploads a recording and creates a track, which is published once it is processed. */
export async function uploadTrack(owner: FaultClient, title: string, wav: Buffer): Promise<string> {
  const signed = (await expectSuccess(owner, 'POST', '/api/upload-signed-url', {
    bucket: 'audio',
    filename: 'recording.wav',
    mime: 'audio/wav',
    size: wav.length,
  })) as Record<string, string>
  const sent = await owner.send('PUT', signed['uploadUrl']!, {
    body: wav,
    headers: { 'upload-token': signed['uploadToken']!, 'content-type': 'audio/wav' },
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  const { data } = await expectSuccess(owner, 'POST', '/api/admin-tracks', {
    action: 'create',
    title,
    artist: 'A',
    is_published: true,
    audio_path: signed['path'],
  })
  return (data as AdminTrack).id
}

/** Creates all kinds of writers, and several of those that act as members. Free members buy Premium. */
export function createWriters(world: FaultWorld): Writer[] {
  const { members } = world
  const premium = members.filter(({ hears }) => hears === 'stream')
  const free = members.filter(({ hears }) => hears === 'preview')
  return [
    ...members.map((member) => createLikeWriter(world, member)),
    ...premium.map((member) => createPlaylistWriter(world, member)),
    ...members.map((member) => createPlayWriter(world, member)),
    createSignUpWriter(world),
    createPurchaseWriter(world, free),
    createSettingsWriter(world, world.settings),
    createCategoryWriter(world),
    createUploadWriter(world, { everyMs: 5000, seconds: 3 }),
  ]
}

/** Returns the problems that the writers find, and unexpected responses. Pause the load before. */
export async function auditWrites(
  world: FaultWorld,
  writers: readonly Writer[],
): Promise<string[]> {
  const problems: string[] = []
  for (const writer of writers) problems.push(...(await writer.audit(world)))
  const unexpectedResponses = world.responses.unexpectedResponses.splice(0)
  problems.push(...(await auditOrders(world.db)), ...unexpectedResponses)
  if (unexpectedResponses.length > 0) problems.push(...findFailures(world.site.output()))
  return problems
}

/** All checks, for the end of a test: waits for the jobs, then checks the writes and what must always be true. */
export async function auditAll(world: FaultWorld, writers: readonly Writer[]): Promise<string[]> {
  return [
    ...(await drainJobs(world.db)),
    ...(await auditWrites(world, writers)),
    ...(await auditTracks(world.db)),
    ...(await auditObjects(world.db, world.storage)),
    ...(await auditScratch(world.db, world.site.dataDirs)),
    ...auditJobRuns(world.site.output()),
  ]
}
