// For tests: creates the objects that admin operations change, new ones for each call.
import { setStripeKey } from '#contract/admin/money/admin-stripe.ts'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { createArtist } from '#contract/admin/admin-artists.ts'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { createSpot } from '#contract/admin/service/admin-spots.ts'
import { createRelease, listReleaseProposals } from '#contract/admin/admin-releases.ts'
import { createSupportThread } from '#contract/support.ts'
import { createSignedUpload, type Bucket } from '#contract/uploads.ts'
import { makeBackup } from '../../features/backup/make-backup.ts'
import { listBackups } from '../../features/backup/stored-backups.ts'
import { transaction } from '../../platform/db/database.ts'
import { startFakeStripe } from '../stripe/fake-stripe.ts'
import { subscriptionEvent } from '../stripe/stripe-payloads.ts'
import { encodeTaggedWav } from '../tagged-wav.ts'
import { createTestApp, type Person } from '../test-app.ts'

export type AuditWorld = Awaited<ReturnType<typeof createAuditWorld>>

/** Call `close()` in `afterAll`. */
export async function createAuditWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'velour-audit-backup-'))
  const place = { kind: 'folder', folder } as const
  const stripe = await startFakeStripe()
  const app = await createTestApp({
    backup: { place, schedule: null, keep: 1 },
    // Stripe refuses webhook endpoints with local addresses, so the URL is a public one.
    publicUrl: 'https://night.example',
    stripeApiUrl: stripe.url,
  })
  const admin = await app.makePerson({ role: 'admin' })
  await admin.call(setStripeKey, { body: { key: 'sk_test_123' } })
  const { db, jobs } = app.services
  let made = 0
  const name = (what: string) => `${what} ${++made}`

  async function upload(bucket: Bucket): Promise<string> {
    const files = {
      audio: ['song.wav', 'audio/wav', encodeTaggedWav(0.2, 200 + ++made)],
      covers: ['cover.png', 'image/png', await picture()],
      evidence: ['receipt.png', 'image/png', await picture()],
      archives: ['songs.zip', 'application/zip', Buffer.from('PK')],
    } as const
    const [filename, mime, bytes] = files[bucket]
    const body = { bucket, filename, mime, size: bytes.length }
    const signed = (await admin.call(createSignedUpload, { body })).body
    const sent = await fetch(`${app.url}${signed.uploadUrl}`, {
      method: 'PUT',
      headers: {
        cookie: admin.cookie,
        'upload-token': signed.uploadToken,
        'content-type': mime,
      },
      body: new Uint8Array(bytes),
    })
    if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
    return signed.path
  }

  async function track({ published = false } = {}): Promise<string> {
    const { id } = await db.query
      .insertInto('tracks')
      .values({
        title: name('Track'),
        artist: 'Ada',
        duration: 60,
        processing_status: 'ready',
        is_published: published,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return {
    app,
    async close() {
      await app.close()
      await stripe.close()
      await rm(folder, { recursive: true })
    },
    admin,
    name,
    upload,
    track,
    async category(): Promise<string> {
      const category = `category-${++made}`
      const body = { category, display_name: category }
      return (await admin.call(createCategory, { body })).body.id
    },
    async genre(): Promise<string> {
      return (await admin.call(createGenre, { body: { name: name('Genre') } })).body.id
    },
    async artist(): Promise<string> {
      return (await admin.call(createArtist, { body: { name: name('Artist') } })).body.id
    },
    async playlist(): Promise<string> {
      const body = { action: 'create', title: name('Playlist'), is_curated: true } as const
      return (await admin.call(changeAdminPlaylists, { body })).body.playlist!.id
    },
    async message(): Promise<string> {
      const body = { subject: name('Question'), text: 'How?' }
      return (await (await app.makePerson()).call(createSupportThread, { body })).body.id
    },
    async gift(): Promise<string> {
      const { id } = await app.services.db.query
        .insertInto('gifts')
        .values({
          months: 1,
          amount_cents: 999,
          currency: 'usd',
          from_name: name('Ada'),
          recipient_email: 'ben@velour.test',
          send_at: app.services.now().toISOString(),
          paid_at: app.services.now().toISOString(),
          code_hash: createHash('sha256').update(name('code')).digest('hex'),
          code_sealed: app.services.secretBox.seal(name('code')),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async referral(): Promise<string> {
      const { id } = await app.services.db.query
        .insertInto('referrals')
        .values({
          referrer_id: admin.id,
          address_hash: createHash('sha256').update(name('address')).digest('hex'),
          months: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async spot(): Promise<string> {
      const body = { kind: 'card', title: name('Tour') } as const
      return (await admin.call(createSpot, { body })).body.id
    },
    async release(): Promise<string> {
      const body = {
        title: name('Release'),
        tracks: [{ track_id: await track({ published: true }) }],
      }
      return (await admin.call(createRelease, { body })).body.id
    },
    /** Returns the key of a proposed release of two imported tracks. */
    async proposal(): Promise<string> {
      const album = name('Album')
      const ids = [await track(), await track()]
      await db.query
        .insertInto('track_file_tags')
        .values(ids.map((track_id) => ({ track_id, album })))
        .execute()
      const { data } = (await admin.call(listReleaseProposals, {})).body
      return data.find(({ title }) => title === album)!.key
    },
    /** Creates a payment through Stripe, and the subscription that it paid for. */
    async stripePayment(): Promise<{ user_id: string; payment_id: string }> {
      const { id: user_id } = await app.makePerson()
      const key = name('paid').replace(' ', '_')
      const created = Math.floor(Date.now() / 1000)
      const ids = { subscription: `sub_${key}`, customer: `cus_${key}`, userId: user_id, created }
      const { object } = subscriptionEvent('created', ids).data
      stripe.subscriptions.set(ids.subscription, object)
      const { customer: customer_id } = ids
      await db.query
        .insertInto('stripe_subscriptions')
        .values({ id: ids.subscription, user_id, customer_id, status: 'active', tier: 'monthly' })
        .execute()
      const { id: payment_id } = await db.query
        .insertInto('payments')
        .values({
          user_id,
          amount_cents: 999,
          currency: 'usd',
          payment_method: 'stripe',
          stripe_invoice_id: `in_${key}`,
          paid_at: new Date().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { user_id, payment_id }
    },
    person: (): Promise<Person> => app.makePerson(),
    /** Makes a backup and returns its name. */
    /** Uploads a file that is not a valid archive and returns its path. */
    archive: () => upload('archives'),
    /**
     * Creates an import and returns its id. It waits for a decision or for the confirmation of its list, or it has a
     * failed song.
     */
    async import(status: 'asking' | 'listed' | 'done' = 'asking'): Promise<string> {
      const { id } = await db.query
        .insertInto('imports')
        .values({
          name: 'songs.zip',
          status,
          ip_address: '127.0.0.1',
          ...(status === 'done' && { format: 'server', server_login_sealed: 'sealed' }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const item = {
        kind: 'recording',
        path: 'a.wav',
        name: 'a.wav',
        status: status === 'done' ? 'failed' : 'known',
      } as const
      await db.query
        .insertInto('import_items')
        .values({ import_id: id, position: 1, ...item })
        .execute()
      return id
    },
    async storedBackup(): Promise<string> {
      await makeBackup(app.services, { signal: new AbortController().signal })
      return (await listBackups(app.services)).data[0]!.name
    },
    /** Creates a job that has used up its retries and returns its id. */
    async failedJob(): Promise<string> {
      const track_id = await track()
      await transaction(db, (trx) => jobs.enqueue(trx, 'retag-track', { track_id }))
      const { rows } = await sql<{ id: string }>`
        update jobs.job set state = 'failed', completed_on = now(), retry_count = 12
         where data->>'track_id' = ${track_id} returning id`.execute(db.query)
      return rows[0]!.id
    },
  }
}

function picture(): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: '#7a3b52' } })
    .png()
    .toBuffer()
}
