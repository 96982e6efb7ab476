// Nothing that is secret is said where others can read it. The whole life of an owner and a member goes through a real
// server at its most talkative, with errors of everything it depends on; then its output, traces, figures, exports, trail
// and every answer are searched for every secret that was in play.
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import { createOTP } from '@better-auth/utils/otp'
import pg from 'pg'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readArchive } from '../server/backup/read-archive.ts'
import { decodeBase32 } from '../server/testing/decode-base32.ts'
import { startFakeStripe, type FakeStripe } from '../server/testing/fake-stripe.ts'
import { startS3StandIn } from '../server/testing/s3-stand-in.ts'
import type { S3Server } from '../server/testing/s3-server.ts'
import { createSecretWatch } from '../server/testing/secret-watch.ts'
import { createTestDatabase, type TestDatabase } from '../server/testing/test-database.ts'
import { startTestSmtp, type TestSmtp } from '../server/testing/test-smtp.ts'
import { makeWav } from './make-wav.ts'
import {
  admin,
  makeDataDir,
  removeDataDir,
  startService,
  waitUntil,
  type Service,
} from './service.ts'

const watch = createSecretWatch()
const canary = (name: string) => `canary${name}${randomBytes(9).toString('hex')}`
const keep = (name: string, value: string, ...allowed: string[]) => watch.keep(name, value, allowed)

const configured = {
  SECRET: keep('the key', canary('key').padEnd(40, 'x')),
  ADMIN_PASSWORD: keep("the owner's password", canary('owner')),
  METRICS_TOKEN: keep('the token of the figures', canary('metrics')),
  STRIPE_SECRET_KEY: keep("Stripe's key", `sk_test_${canary('stripe')}`),
  S3_SECRET_ACCESS_KEY: keep("the store's key", canary('store')),
}
const smtpPassword = keep('the password of the mail server', canary('smtp'))
const collectorToken = keep('the token of the collector', canary('otel'))
const webhookSecret = keep('the secret of the webhook', `whsec_${canary('hook')}`)

let database: TestDatabase
let smtp: TestSmtp
let stripe: FakeStripe
let store: S3Server
let collector: Server
let dataDir: string
let service: Service
let environment: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  smtp = await startTestSmtp({ refusals: 1, refusedLogins: 1 })
  stripe = await startFakeStripe()
  store = await startS3StandIn()
  collector = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      watch.hear('traces', bytes)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  dataDir = await makeDataDir()
  keep('the password of the database', new URL(database.connectionString).password)
  environment = {
    ...configured,
    ADMIN_EMAIL: admin.email,
    LOG_LEVEL: 'trace',
    REQUIRE_EMAIL_VERIFICATION: 'on',
    DATABASE_URL: database.connectionString,
    DATABASE_OWNER_URL: database.ownerConnectionString,
    SMTP_URL: smtp.url.replace('//', `//velour:${smtpPassword}@`),
    STRIPE_API_URL: stripe.url,
    S3_BUCKET: store.options.bucket,
    S3_ENDPOINT: store.options.endpoint ?? '',
    S3_ACCESS_KEY_ID: store.options.accessKeyId,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${collectorToken}`,
  }
  service = await startService({ dataDir, env: environment })
})
afterAll(async () => {
  await service?.kill()
  collector?.close()
  await Promise.all([smtp?.close(), stripe?.close(), store?.close()])
  await database?.drop()
  await removeDataDir(dataDir)
})

/** What is read out of answers here; each holds its part of it. */
interface Body {
  totpURI: string
  backupCodes: string[]
  uploadToken: string
  uploadUrl: string
  path: string
  data: { id: string }
}

interface Answer {
  status: number
  text: string
  headers: Headers
  body: Body
}

/** Somebody with a cookie jar. Every answer is listened to, under `METHOD path`. */
function createPerson() {
  const jar = new Map<string, string>()
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isJson = body !== undefined && !(body instanceof Uint8Array)
    const response = await fetch(`${service.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(jar.size > 0 && {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : ((body as BodyInit | undefined) ?? null),
    })
    const text = await response.text()
    const where = `${method} ${path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id')}`
    watch.hear(where, `${text}\n${[...response.headers].flat().join('\n')}`)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
      if (value.length > 20)
        keep(`the cookie ${name} of ${where}`, decodeURIComponent(value), where)
    }
    return { status: response.status, text, headers: response.headers, body: readJson(text) }
  }
  return { send, forget: () => jar.clear() }
}

function readJson(text: string): Body {
  return (text.startsWith('{') ? JSON.parse(text) : {}) as Body
}

const signInPath = '/api/auth/sign-in/email'
const signInAs = (who: ReturnType<typeof createPerson>, email: string, password: string) =>
  who.send('POST', signInPath, { email, password })

/** The token in the newest mail to this address. */
async function tokenMailedTo(email: string, count: number): Promise<string> {
  const mailsTo = () => smtp.received.filter(({ recipients }) => recipients.includes(email))
  await waitUntil(() => mailsTo().length >= count, 90_000, `mail ${count} to ${email}`)
  const { text = '' } = (await mailsTo().at(-1)?.mail) ?? {}
  const token = /[?&]token=([\w.-]+)/.exec(text)?.[1]
  if (!token) throw new Error(`No token in ${text}`)
  return keep('a token out of a mail', token)
}

/** Statements as the owner of the tables, and what they find. */
async function asOwner(sql: string): Promise<string> {
  const client = new pg.Client(database.ownerConnectionString)
  await client.connect()
  try {
    return JSON.stringify((await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

test('a whole life, and no secret said', { timeout: 300_000 }, async () => {
  const owner = createPerson()
  const member = createPerson()
  const stranger = createPerson()
  const email = 'member@example.com'
  const password = keep("a member's password", canary('member'))
  const newPassword = keep("a member's new password", canary('new'))

  // The owner.
  await signInAs(owner, admin.email, keep('a wrong password', canary('wrong')))
  expect((await signInAs(owner, admin.email, configured.ADMIN_PASSWORD)).status).toBe(200)
  const settings = {
    preview_length_seconds: 45,
    maintenance_mode: false,
    pricing_monthly_cents: 999,
    pricing_yearly_cents: 9999,
    stripe_price_monthly: 'price_month',
    stripe_price_yearly: 'price_year',
    stripe_webhook_secret: webhookSecret,
  }
  const saved = await owner.send('POST', '/api/admin-settings', { action: 'update', settings })
  expect(saved.status).toBe(200)
  await owner.send('GET', '/api/admin-settings')
  const invited = keep('a password that an admin gave', canary('given'))
  await owner.send('POST', '/api/admin-users', { email: 'given@example.com', password: invited })

  // A member arrives. The mail server refuses the first login and the first mail, which fails jobs.
  const signUp = { email, password, name: 'Member' }
  expect((await stranger.send('POST', '/api/auth/sign-up/email', signUp)).status).toBe(200)
  await stranger.send('POST', '/api/auth/sign-up/email', signUp)
  expect((await signInAs(member, email, password)).status).toBe(403)
  const confirming = await tokenMailedTo(email, 1)
  await member.send('GET', `/api/auth/verify-email?token=${confirming}`)
  await member.send('GET', `/api/auth/verify-email?token=${keep('a wrong token', canary('token'))}`)
  expect((await signInAs(member, email, password)).status).toBe(200)

  // A second factor.
  const enrolled = await member.send('POST', '/api/auth/two-factor/enable', { password })
  const enable = 'POST /api/auth/two-factor/enable'
  const shared = new URL(enrolled.body.totpURI).searchParams.get('secret') ?? ''
  keep('the secret of the second factor', shared, enable)
  for (const code of enrolled.body.backupCodes) keep('a recovery code', code, enable)
  const code = await createOTP(decodeBase32(shared), { period: 30, digits: 6 }).totp()
  const verify = (body: object) => member.send('POST', '/api/auth/two-factor/verify-totp', body)
  expect((await verify({ code })).status).toBe(200)
  await member.send('POST', '/api/auth/sign-out')
  await signInAs(member, email, password)
  expect((await verify({ code: '000000' })).status).toBe(401)
  const [recovery] = enrolled.body.backupCodes
  const recovered = await member.send('POST', '/api/auth/two-factor/verify-backup-code', {
    code: recovery,
  })
  expect(recovered.status).toBe(200)
  await member.send('POST', '/api/auth/two-factor/generate-backup-codes', { password: 'not it' })

  // A forgotten password.
  const mailsSoFar = smtp.received.filter(({ recipients }) => recipients.includes(email)).length
  await stranger.send('POST', '/api/auth/request-password-reset', { email })
  const token = await tokenMailedTo(email, mailsSoFar + 1)
  await stranger.send('POST', '/api/auth/reset-password', { token: canary('guess'), newPassword })
  const reset = await stranger.send('POST', '/api/auth/reset-password', { token, newPassword })
  expect(reset.status).toBe(200)
  member.forget()
  expect((await signInAs(member, email, newPassword)).status).toBe(200)
  const [, second] = enrolled.body.backupCodes
  await member.send('POST', '/api/auth/two-factor/verify-backup-code', { code: second })

  // Secrets where programs put them by mistake.
  const odd = keep('a secret in an odd place', canary('odd'))
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

  // Files, and the addresses of the store.
  const wav = makeWav(2, 440)
  const ask = { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', size: wav.length }
  const upload = (await owner.send('POST', '/api/upload-signed-url', ask)).body
  keep('the token of an upload', upload.uploadToken, 'POST /api/upload-signed-url')
  await owner.send('PUT', upload.uploadUrl, wav, {
    'upload-token': odd,
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
  keep('a signed address', signature, 'GET /api/tracks/:id/stream')

  // Payments.
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.created', data: {} })
  const sign = (secret: string) => Stripe.webhooks.generateTestHeaderString({ payload, secret })
  for (const secret of [webhookSecret, 'whsec_wrong']) {
    const headers = { 'stripe-signature': keep('a signature of Stripe', sign(secret)) }
    await stranger.send('POST', '/api/billing-webhook', JSON.parse(payload), headers)
  }
  stripe.failWith(401)
  expect((await member.send('POST', '/api/billing/checkout', { plan: 'monthly' })).status).toBe(502)
  stripe.failWith(null)

  // The database refuses rows, and its words hold them.
  const tables = ['sessions', 'verifications', 'uploads', 'accounts', 'profiles']
  for (const table of tables) {
    await asOwner(`alter table ${table} add constraint canary check (false) not valid`)
  }
  const refused = [
    await signInAs(createPerson(), admin.email, configured.ADMIN_PASSWORD),
    await owner.send('POST', '/api/upload-signed-url', ask),
    await stranger.send('POST', '/api/auth/request-password-reset', { email }),
    await stranger.send('POST', '/api/auth/sign-up/email', { ...signUp, email: 'x@example.com' }),
    await owner.send('POST', '/api/admin-users', { email: 'y@example.com', password: invited }),
  ]
  expect(refused.filter(({ status }) => status >= 500).length).toBeGreaterThan(2)
  for (const table of tables) await asOwner(`alter table ${table} drop constraint canary`)
  await asOwner(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await waitUntil(
    async () => (await owner.send('GET', '/api/admin-system')).status === 200,
    30_000,
    'the database again',
  )

  // Everything that can be taken away.
  const own = await member.send('GET', '/api/profile/data')
  expect(own.text).toContain(email)
  const trail = await owner.send('GET', '/api/admin-audit-log/export.csv')
  expect(trail.text).toContain('settings')
  for (const path of ['admin-users/export.csv', 'admin-insights/export.csv', 'openapi.json']) {
    await owner.send('GET', `/api/${path}`)
  }
  const paths = ['/api/admin-audit-log', '/api/admin-system', '/api/sessions', '/api/site', '/']
  for (const path of paths) await owner.send('GET', path)
  const authorization = `Bearer ${configured.METRICS_TOKEN}`
  const figures = await stranger.send('GET', '/metrics', undefined, { authorization })
  expect(figures.status).toBe(200)
  await stranger.send('GET', '/metrics', undefined, { authorization: `Bearer ${odd}` })
  watch.hear('the trail', await asOwner('select * from audit_log'))

  await backUp()
  await failToStart()
  expect(await service.stop()).toBe(0)
  watch.hear('the log', service.output())

  // It was really talkative, and everything was really in play.
  expect(service.output()).toContain('"path":"/api/auth/verify-email"')
  expect(service.output()).toMatch(/violates check constraint/)
  expect(watch.size().secrets).toBeGreaterThan(35)
  expect(watch.leaks()).toEqual([])
  // Whole rows, which hold hashes and tokens that nobody was shown.
  expect(service.output()).not.toMatch(/Failing row contains/)
})

/** What the tool says, and what its file says about itself. What the environment gives is in no entry at all. */
async function backUp(): Promise<void> {
  const file = join(dataDir, 'all.tar')
  const tool = join(import.meta.dirname, '../server/backup/backup-main.ts')
  const env = { ...process.env, ...environment, DATA_DIR: dataDir, DEMO: 'off' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tool, 'backup', file], {
    env,
  })
  watch.hear('what the backup says', stdout + stderr)
  const names: string[] = []
  for await (const { name, body } of readArchive(file)) {
    names.push(name)
    const bytes = await buffer(body)
    // Rows hold what makes a session: SECURITY.md says who may have the file.
    const isOfSessions = name.startsWith('database/sessions')
    if (!name.startsWith('objects/') && !isOfSessions) watch.hear(`backup: ${name}`, bytes)
  }
  expect(names).toContain('velour-backup-end.json')
}

/** A start that fails says why, and says it to whoever reads the journal. */
async function failToStart(): Promise<void> {
  const away = new URL(database.connectionString)
  const wrong = keep('a wrong password of the database', canary('db'))
  away.password = wrong
  const starts: Record<string, string>[] = [
    { DATABASE_URL: away.href, DATABASE_OWNER_URL: away.href },
    { DATABASE_URL: `postgres://velour:${wrong}@127.0.0.1:1/velour` },
    { DATABASE_URL: `postgres://velour:${wrong}@:port/velour` },
    { SMTP_URL: `smtp//velour:${smtpPassword}` },
    { SECRET_PREVIOUS: configured.SECRET },
    { STRIPE_SECRET_KEY: keep('a key of another kind', `pk_${canary('public')}`) },
    { OTEL_EXPORTER_OTLP_HEADERS: `authorization: ${collectorToken}` },
  ]
  for (const start of starts) {
    const failing = startService({ dataDir: `${dataDir}/fails`, env: { ...environment, ...start } })
    const said = await failing.then(
      async (started) => {
        await started.kill()
        throw new Error(`It started with ${Object.keys(start).join()}`)
      },
      (reason: Error) => reason.message,
    )
    watch.hear(`a start that failed: ${Object.keys(start).join()}`, said)
  }
}
