// Runs `npm run doctor` on a healthy service and on services with typical faults.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../../platform/config/config.ts'
import { prepareDatabase } from '../../platform/db/app-rights.ts'
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startFakeStripe } from '../../testing/stripe/fake-stripe.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { startTestSmtp, type TestSmtp } from '../../testing/test-smtp.ts'
import { runChecks, type CheckResult } from './run-checks.ts'

const log = pino({ level: 'silent' })
let app: TestApp
let store: S3Server
let smtp: TestSmtp
let folder: string
const servers: Server[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-doctor-test-'))
  app = await createTestApp()
  store = await startS3StandIn()
  smtp = await startTestSmtp({ refusedLogins: 1 })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await app.close()
  await store.close()
  await smtp.close()
  await rm(folder, { recursive: true })
})

/** The configuration of the running service, with changes that break something. */
const settings = (broken: Partial<Config> = {}): Config => ({
  ...app.services.config,
  port: Number(new URL(app.url).port),
  publicUrl: app.url,
  ...broken,
})

async function runDoctor(
  config: Config,
  options: { mailTo?: string } = {},
): Promise<Record<string, CheckResult>> {
  const results = await runChecks({ config, log, mailTo: null, onResult: () => {}, ...options })
  return Object.fromEntries(results.map((result) => [result.name, result]))
}

/** Runs the checks without encoding a file, which is the slowest check. */
const runDoctorQuickly = (broken: Partial<Config>) =>
  runDoctor(settings({ ffmpegPath: '/nowhere/ffmpeg', ...broken }))

async function listen(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a proxy in front of the service. `change` returns the headers that the proxy sets. */
const startProxy = (
  change: (headers: IncomingHttpHeaders) => Record<string, string>,
  to = app.url,
) =>
  listen(
    createServer((incoming, response) => {
      const headers = { ...incoming.headers, ...change(incoming.headers) }
      request(`${to}${incoming.url}`, { headers }, (passed) => {
        response.writeHead(passed.statusCode!, passed.headers)
        passed.pipe(response)
      }).end()
    }),
  )
const append = ({ 'x-forwarded-for': sent }: IncomingHttpHeaders) => ({
  'x-forwarded-for': `${String(sent)}, 198.51.100.7`,
})

test('finds no problem in a healthy service', async () => {
  const found = await runDoctor(settings())
  // The machine may have only the ffmpeg from npm, which the doctor reports as a note.
  const others = Object.values(found).filter(({ name }) => name !== 'ffmpeg')
  expect(others.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(found['ffmpeg']!.level).toMatch(/^(ok|note)$/)
  expect(Object.keys(found)).toEqual(
    'Settings,Data folder,Disk space,Port,ffmpeg,Database,Roles,Migrations,SECRET,Storage,Mail,PUBLIC_URL,Clock'.split(
      ',',
    ),
  )
  expect(found['Port']!.text).toContain('is in use by this Velour')
  expect(found['PUBLIC_URL']!.text).toContain('leads to this installation')
  expect(found['Disk space']!.text).toMatch(/has \d+\.\d of \d+\.\d GB free/)
})

test('leaves no test file in the storage', async () => {
  const before = await readdir(join(app.services.config.dataDir, 'storage'), { recursive: true })
  await runDoctorQuickly({})
  expect(await readdir(join(app.services.config.dataDir, 'storage'), { recursive: true })).toEqual(
    before,
  )
})

const away = 'http://127.0.0.1:9'
const smtpAt = (user: string) => `smtp://${user}@${new URL(smtp.url).host}`
const inFolder = (name: string) => join(folder, name)

interface Case {
  what: string
  broken: () => Partial<Config> | Promise<Partial<Config>>
  check: string
  level?: CheckResult['level']
  expected: string[]
}

const cases: Case[] = [
  {
    what: 'a public service with the demo',
    broken: () => ({ demo: true, host: '0.0.0.0' }),
    check: 'Settings',
    expected: ['HOST=0.0.0.0 makes this service public', 'Set DEMO=off'],
  },
  {
    what: 'a data folder that is a file',
    broken: async () => {
      await writeFile(inFolder('file'), '')
      return { dataDir: inFolder('file') }
    },
    check: 'Data folder',
    expected: ['is a file, and a folder is needed there', 'DATA_DIR'],
  },
  {
    what: 'an interrupted restore',
    broken: async () => {
      await mkdir(inFolder('half'))
      await writeFile(join(inFolder('half'), 'restore-not-finished'), '/backup.tar')
      return { dataDir: inFolder('half') }
    },
    check: 'Data folder',
    expected: ['npm run restore -- /backup.tar'],
  },
  {
    what: 'a port in use by another program',
    broken: async () => ({
      port: Number(new URL(await listen(createServer((_, response) => void response.end()))).port),
    }),
    check: 'Port',
    expected: ['another program already listens on', 'choose another port with PORT'],
  },
  {
    what: 'a missing ffmpeg',
    broken: () => ({ ffmpegPath: '/nowhere/ffmpeg' }),
    check: 'ffmpeg',
    expected: ['FFMPEG_PATH', 'not found', 'Unset it'],
  },
  {
    what: 'a database that does not answer',
    broken: () => ({ databaseUrl: 'postgres://velour:hidden@127.0.0.1:9/velour' }),
    check: 'Database',
    expected: ['DATABASE_URL: no PostgreSQL responds at 127.0.0.1:9'],
  },
  {
    what: 'one role for everything',
    broken: ({ databaseOwnerUrl } = app.services.config) => ({
      databaseUrl: databaseOwnerUrl,
      databaseOwnerUrl: null,
    }),
    check: 'Roles',
    level: 'note',
    expected: ['could change the audit log', 'set DATABASE_OWNER_URL'],
  },
  {
    what: 'an owner role that does not own the tables',
    broken: ({ databaseUrl } = app.services.config) => ({
      databaseOwnerUrl: databaseUrl,
    }),
    check: 'Roles',
    expected: ['The tables belong to the role', 'REASSIGN OWNED BY'],
  },
  {
    what: 'another SECRET',
    broken: () => ({ secret: 'x'.repeat(40) }),
    check: 'SECRET',
    expected: ['SECRET is not the key that this database was used with', 'ACCEPT_NEW_SECRET'],
  },
  {
    what: 'a data folder of another installation',
    broken: async () => {
      await cp(app.services.config.dataDir, inFolder('other'), { recursive: true })
      await writeFile(join(inFolder('other'), 'storage', 'installation'), 'another')
      return { dataDir: inFolder('other') }
    },
    check: 'Storage',
    expected: ['does not belong to this database', 'is its volume mounted?'],
  },
  {
    what: 'a volume that is not mounted',
    broken: async () => {
      await mkdir(join(inFolder('unmounted'), 'storage'), { recursive: true })
      return { dataDir: inFolder('unmounted') }
    },
    check: 'Storage',
    expected: ['the database was used with another one', 'is its volume mounted?'],
  },
  {
    what: 'an unreachable store',
    broken: () => ({ s3: { ...store.options, endpoint: away } }),
    check: 'Storage',
    expected: [`S3_ENDPOINT=${away}`, 'does not respond'],
  },
  {
    what: 'a bucket without a CORS rule',
    broken: () => ({ s3: store.options, publicUrl: 'https://music.invalid' }),
    check: 'Uploads',
    level: 'note',
    expected: ['no CORS rule for https://music.invalid yet', 'the next start adds it'],
  },
  {
    what: 'an unreachable mail server',
    broken: () => ({ smtpUrl: 'smtp://127.0.0.1:9' }),
    check: 'Mail',
    expected: ['SMTP_URL: no mail server answers at 127.0.0.1:9', 'firewall'],
  },
  {
    what: 'a mail server that refuses the password',
    broken: () => ({ smtpUrl: smtpAt('ada:hidden') }),
    check: 'Mail',
    expected: ['refuses the user "ada" or the password'],
  },
  {
    what: 'a public service without a mail server',
    broken: () => ({ host: '0.0.0.0' }),
    check: 'Mail',
    level: 'note',
    expected: ['emails are written to', 'Set SMTP_URL'],
  },
  {
    what: 'a PUBLIC_URL where nothing answers',
    broken: () => ({ publicUrl: away }),
    check: 'PUBLIC_URL',
    expected: [`PUBLIC_URL=${away} does not answer`, 'start the proxy'],
  },
  {
    what: 'a PUBLIC_URL that is not in DNS',
    broken: () => ({ publicUrl: 'https://music.invalid' }),
    check: 'PUBLIC_URL',
    expected: ['has a host name that is not in DNS'],
  },
  {
    what: 'a PUBLIC_URL of another service',
    broken: async () => ({
      publicUrl: await listen(createServer((_, response) => void response.end('{"status":"ok"}'))),
    }),
    check: 'PUBLIC_URL',
    expected: ['leads to another service', 'Check DNS and the proxy'],
  },
  {
    what: 'a PUBLIC_URL that redirects',
    broken: async () => ({
      publicUrl: await listen(
        createServer(
          (_, response) => void response.writeHead(301, { location: 'https://x/' }).end(),
        ),
      ),
    }),
    check: 'PUBLIC_URL',
    expected: ['redirects to https://x/: set PUBLIC_URL'],
  },
  {
    what: 'a proxy that does not reach Velour',
    broken: async () => ({
      publicUrl: await listen(createServer((_, response) => void response.writeHead(502).end())),
    }),
    check: 'PUBLIC_URL',
    expected: ['returns status 502: the proxy there does not reach Velour'],
  },
  {
    what: 'a proxy that TRUST_PROXY does not include',
    broken: async () => ({ publicUrl: await startProxy(append) }),
    check: 'PUBLIC_URL',
    expected: ['all clients share one address: set TRUST_PROXY=127.0.0.1'],
  },
  {
    what: 'a TRUST_PROXY that only includes another proxy',
    broken: async () => ({ trustProxy: ['10.0.0.1'], publicUrl: await startProxy(append) }),
    check: 'PUBLIC_URL',
    expected: ['TRUST_PROXY=10.0.0.1 does not include the proxy at 127.0.0.1', 'add 127.0.0.1'],
  },
  {
    what: 'a proxy that forwards another host',
    broken: async () => ({ publicUrl: await startProxy(() => ({ host: 'backend:3000' })) }),
    check: 'PUBLIC_URL',
    expected: ['forwards the host "backend:3000" instead of 127.0.0.1', 'proxy_set_header Host'],
  },
  {
    what: 'a wrong clock',
    broken: async () => ({
      publicUrl: await listen(
        createServer((_, response) => {
          response.sendDate = false
          response.writeHead(200, { date: new Date(Date.now() + 90_000).toUTCString() }).end()
        }),
      ),
    }),
    check: 'Clock',
    expected: ["This machine's clock is ", ' s behind that of PUBLIC_URL', 'timedatectl'],
  },
]

test.each(cases)(
  'finds the fault: $what',
  async ({ broken, check, level = 'problem', expected }) => {
    const found = (await runDoctorQuickly(await broken()))[check]
    expect(found?.level, found?.text).toBe(level)
    for (const part of expected) expect(found!.text).toContain(part)
    expect(found!.text).not.toMatch(/\n|hidden/)
  },
)

test('reports a trusted proxy that does not write X-Forwarded-For', async () => {
  const trusting = await createTestApp({ trustProxy: ['127.0.0.1'] })
  const checkPublicUrl = async (publicUrl: string) => {
    const broken = { port: Number(new URL(trusting.url).port), ffmpegPath: '/nowhere/ffmpeg' }
    return (await runDoctor({ ...trusting.services.config, ...broken, publicUrl }))['PUBLIC_URL']!
  }
  try {
    const proxied = await checkPublicUrl(await startProxy(append, trusting.url))
    expect(proxied).toMatchObject({ level: 'ok' })
    expect(proxied.text).toContain('through the proxy at 127.0.0.1')
    const passing = await checkPublicUrl(await startProxy(() => ({}), trusting.url))
    expect(passing).toMatchObject({ level: 'problem' })
    expect(passing.text).toContain('clients can forge their address')
  } finally {
    await trusting.close()
  }
})

test('finds pending migrations', async () => {
  await app.asOwner(
    'delete from schema_migrations where name = (select max(name) from schema_migrations)',
  )
  const found = await runDoctorQuickly({})
  expect(found['Migrations']).toMatchObject({ level: 'note' })
  expect(found['Migrations']!.text).toContain('1 migration will run at the next start')
  expect(found['Migrations']!.text).toContain('npm run upgrade-check')
})

test('sends a test email', async () => {
  const config = settings({ ffmpegPath: '/nowhere/ffmpeg', smtpUrl: smtp.url })
  const found = await runDoctor(config, { mailTo: 'owner@music.example' })
  expect(found['Mail']).toMatchObject({ level: 'ok' })
  expect(smtp.received.at(-1)!.recipients).toEqual(['owner@music.example'])
  expect((await smtp.received.at(-1)!.mail).subject).toContain('Test message')
})

test("checks Stripe's key, from the environment or the back office", async () => {
  const stripe = await startFakeStripe()
  const stripeApiUrl = stripe.url
  const find = async (broken: Partial<Config>) =>
    (await runDoctorQuickly({ stripeApiUrl, ...broken }))['Stripe']
  const { db, secretBox } = app.services
  try {
    expect(await find({})).toBeUndefined()
    const key = { stripeSecretKey: 'rk_live_1234' }
    expect(await find(key)).toMatchObject({ level: 'ok' })
    expect((await find(key))?.text).toContain('1234 gives access to Night Records, live mode')
    stripe.accounts.denied.set('rk_live_1234', ['/v1/refunds'])
    expect(await find(key)).toMatchObject({ level: 'note' })
    const key_sealed = secretBox.seal('sk_test_5678')
    await db.query.updateTable('stripe_connection').set({ key_sealed }).execute()
    expect((await find({}))?.text).toContain('5678 gives access to Night Records, test mode')
    stripe.accounts.revoked.add('sk_test_5678')
    expect(await find({})).toMatchObject({ level: 'problem' })
    expect(await find({ stripeApiUrl: 'http://127.0.0.1:9' })).toMatchObject({ level: 'problem' })
  } finally {
    await db.query.updateTable('stripe_connection').set({ key_sealed: '' }).execute()
    await stripe.close()
  }
})

test('accepts an object store that has the CORS rule', async () => {
  const { allowBrowsers } = await import('../../platform/storage/s3-cors.ts')
  await allowBrowsers(store.options, new URL(app.url).origin)
  const found = await runDoctorQuickly({ s3: store.options, acceptNewStorage: true })
  expect(found['Uploads']).toMatchObject({ level: 'ok' })
  expect(found['Storage']).toMatchObject({
    level: 'note',
    text: expect.stringMatching(/"velour" writes, reads and deletes.*unset ACCEPT_NEW_STORAGE/),
  })
})

const run = promisify(execFile)
const main = join(import.meta.dirname, '../../commands/doctor-main.ts')

/** Runs the command in a child process. Returns its exit code and output. */
async function runCommand(env: Record<string, string>, args: string[] = []) {
  return run(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], DEMO: 'off', PORT: '0', ...env },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
}

test('starts the embedded database of a stopped service, and stops it again', async () => {
  const dataDir = inFolder('embedded')
  const start = () => startEmbeddedPostgres({ dataDir, log })
  const first = await start()
  await prepareDatabase(first, { log })
  await first.stop()
  const { code, stdout } = await runCommand({ DATA_DIR: dataDir })
  expect(stdout).toMatch(/✓ Database .*the embedded one in/)
  expect(stdout).toMatch(/✓ Roles /)
  expect(stdout).toContain('0 failed')
  expect(code).toBe(0)
  const second = await start()
  expect(second.adopted).toBe(false)
  await second.stop()
})

test('does not create the data folder, and exits with code 1 when a check fails', async () => {
  const dataDir = inFolder('never-made')
  const { code, stdout } = await runCommand({ DATA_DIR: dataDir, FFMPEG_PATH: '/nowhere/ffmpeg' })
  expect(code).toBe(1)
  expect(stdout).toContain('✗ ffmpeg')
  expect(stdout).toContain('1 failed')
  await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
})

test('names an invalid setting, and prints the usage for an incomplete option', async () => {
  const wrong = await runCommand({ PORT: 'many' })
  expect(wrong).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ Settings    PORT must'),
  })
  const usage = await runCommand({}, ['--mail'])
  expect(usage).toMatchObject({ code: 1, stdout: expect.stringContaining('--mail ADDRESS') })
})

test('the service ignores a request of the doctor that was not encrypted with its SECRET', async () => {
  const response = await fetch(`${app.url}/healthz`, { headers: { 'velour-doctor': 'v1.x' } })
  expect(response.headers.get('velour-doctor')).toBeNull()
})
