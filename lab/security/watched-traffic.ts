// Actions other than those on accounts: files, payments, rejected requests and exports. They run on the server whose
// output is searched for secrets.
import { Stripe } from 'stripe'
import { expect } from 'vitest'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { admin, waitUntil } from '../../e2e/harness/service.ts'
import type { WatchedLife } from './watched-accounts.ts'
import { createCanary } from './watched-world.ts'
import { createWatchedPerson, signInAs, signInPath } from './watched-person.ts'

/** Sends secrets where clients put them by mistake, such as in the URL. */
export async function sendMisplacedSecrets({ world, member, stranger }: WatchedLife) {
  const { watch } = world
  const odd = watch.keep('a secret in an odd place', createCanary('odd'))
  for (const path of ['/auth', '/api/tracks', '/api/nothing', '/media/covers/a/b', '/healthz']) {
    await member.send('GET', `${path}?token=${odd}&password=${odd}`)
  }
  await member.send('GET', '/api/profile', undefined, {
    authorization: `Bearer ${odd}`,
    'x-api-key': odd,
    'proxy-authorization': odd,
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    tracestate: `a=${odd}`,
  })
  await stranger.send('GET', '/api/profile', undefined, { cookie: `velour.session_token=${odd}` })
  await stranger.send('POST', '/api/not-found-visits', { path: `/auth?token=${odd}#${odd}` })
  await stranger.send('POST', signInPath, { email: odd, password: odd })
  await stranger.send('PUT', '/api/uploads/0191a0c0-0000-7000-8000-000000000000', undefined, {
    'upload-token': odd,
  })
}

const uploadRequest = (size: number) => ({
  bucket: 'audio',
  filename: 'song.wav',
  mime: 'audio/wav',
  size,
})

/** Uploads a track, waits until it is processed, and downloads it with a signed URL of the object store. */
export async function uploadTrack({ world, owner }: WatchedLife) {
  const { watch } = world
  const wav = makeWav(2, 440)
  const upload = (await owner.send('POST', '/api/upload-signed-url', uploadRequest(wav.length)))
    .body
  watch.keep('the token of an upload', upload.uploadToken, ['POST /api/upload-signed-url'])
  await owner.send('PUT', upload.uploadUrl, wav, {
    'upload-token': watch.keep('a wrong token of an upload', createCanary('wrong')),
    'content-type': 'audio/wav',
  })
  const sent = await owner.send('PUT', upload.uploadUrl, new Uint8Array(wav), {
    'upload-token': upload.uploadToken,
    'content-type': 'audio/wav',
  })
  expect(sent.status).toBe(204)
  const track = { action: 'create', title: 'Song', artist: 'A', is_published: true }
  const made = await owner.send('POST', '/api/admin-tracks', { ...track, audio_path: upload.path })
  const { id } = made.body.data
  await waitUntil(
    async () => (await owner.send('GET', `/api/admin-tracks/${id}`)).text.includes('"ready"'),
    120_000,
    'the pipeline',
  )
  const stream = await owner.send('GET', `/api/tracks/${id}/stream`)
  const signature = /X-Amz-Signature=(\w+)/.exec(stream.headers.get('location') ?? '')?.[1] ?? ''
  watch.keep('a signed address', signature, ['GET /api/tracks/:id/stream'])
}

export async function takePayments({ world, member, stranger }: WatchedLife) {
  const { watch } = world
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.created', data: {} })
  const sign = (secret: string) => Stripe.webhooks.generateTestHeaderString({ payload, secret })
  for (const secret of [world.secrets.webhookSecret, 'whsec_wrong']) {
    const headers = { 'stripe-signature': watch.keep('a signature of Stripe', sign(secret)) }
    await stranger.send('POST', '/api/billing-webhook', JSON.parse(payload), headers)
  }
  world.stripe.failWith(401)
  expect((await member.send('POST', '/api/billing/checkout', { plan: 'monthly' })).status).toBe(502)
  world.stripe.failWith(null)
}

/** Makes the database reject rows, so that its error messages contain them. Then closes its connections. */
export async function failInDatabase(life: WatchedLife) {
  const { world, owner, stranger, email, password, invitedPassword } = life
  const { ADMIN_PASSWORD } = world.secrets.configured
  const tables = ['sessions', 'verifications', 'uploads', 'accounts', 'profiles']
  for (const table of tables) {
    await world.asOwner(`alter table ${table} add constraint canary check (false) not valid`)
  }
  const refused = [
    await signInAs(createWatchedPerson(world.service, world.watch), admin.email, ADMIN_PASSWORD),
    await owner.send('POST', '/api/upload-signed-url', uploadRequest(1000)),
    await stranger.send('POST', '/api/auth/request-password-reset', { email }),
    await stranger.send('POST', '/api/auth/sign-up/email', {
      email: 'x@example.com',
      password,
      name: 'Member',
    }),
    await owner.send('POST', '/api/admin-users', {
      email: 'y@example.com',
      password: invitedPassword,
    }),
  ]
  expect(refused.filter(({ status }) => status >= 500).length).toBeGreaterThan(2)
  for (const table of tables) await world.asOwner(`alter table ${table} drop constraint canary`)
  await world.asOwner(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await waitUntil(
    async () => (await owner.send('GET', '/api/admin-system')).status === 200,
    30_000,
    'the database again',
  )
}

/** Reads all that the owner, the member and the monitoring may read: exports, audit log, pages, metrics. */
export async function exportAndReadAll({ world, owner, member, stranger, email }: WatchedLife) {
  const own = await member.send('GET', '/api/profile/data')
  expect(own.text).toContain(email)
  const trail = await owner.send('GET', '/api/admin-audit-log/export.csv')
  expect(trail.text).toContain('settings')
  for (const path of ['admin-users/export.csv', 'admin-insights/export.csv', 'openapi.json']) {
    await owner.send('GET', `/api/${path}`)
  }
  const paths = ['/api/admin-audit-log', '/api/admin-system', '/api/sessions', '/api/site', '/']
  for (const path of paths) await owner.send('GET', path)
  const authorization = `Bearer ${world.secrets.configured.METRICS_TOKEN}`
  const figures = await stranger.send('GET', '/metrics', undefined, { authorization })
  expect(figures.status).toBe(200)
  const wrong = world.watch.keep('a wrong token for metrics', createCanary('wrong'))
  await stranger.send('GET', '/metrics', undefined, { authorization: `Bearer ${wrong}` })
  world.watch.scan('the trail', await world.asOwner('select * from audit_log'))
}
