// What the owner is told, when, and by which way.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getSystem } from '#contract/admin-system.ts'
import { StorageError } from '../storage/storage.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'
import { alertConditions, type AlertCondition } from './alert-conditions.ts'
import { checkAlerts } from './alerts.ts'

let app: TestApp
let admin: Person
let hook: Server
let hookUrl: string
let posted: Record<string, unknown>[] = []
let hookStatus = 200
let problem: string | null = null
let checkCount = 0
let freeBlocks = 5_000_000

const conditions: AlertCondition[] = [
  {
    name: 'things_broken',
    async check() {
      checkCount++
      return problem
    },
  },
]

beforeAll(async () => {
  hook = createServer((request, answer) => {
    void text(request).then((body) => {
      posted.push(JSON.parse(body) as Record<string, unknown>)
      answer.writeHead(hookStatus, { location: '/elsewhere' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook?token=hidden`
  app = await createTestApp(
    { alertWebhook: hookUrl, publicUrl: 'https://music.example' },
    {
      statfs: async () => ({
        bsize: 1000,
        blocks: 10_000_000,
        bfree: freeBlocks,
        bavail: freeBlocks,
      }),
    },
  )
  admin = await app.makePerson({ role: 'admin' })
  await app.makePerson({ role: 'admin', banned: true })
  await app.makePerson()
})
afterAll(async () => {
  hook.close()
  await app.close()
})
beforeEach(async () => {
  const { query } = app.services.db
  await query.deleteFrom('alerts').execute()
  await sql`delete from jobs.job where name = 'send-mail'`.execute(query)
  posted = []
  hookStatus = 200
  problem = null
  checkCount = 0
})

type Overrides = Partial<Parameters<typeof checkAlerts>[0]>

/** A minute later. */
async function round(list = conditions, overrides: Overrides = {}): Promise<void> {
  await sql`update alert_rounds set checked_at = now() - interval '1 minute'`.execute(
    app.services.db.query,
  )
  await checkAlerts({ ...app.services, ...overrides }, list)
}

interface SentMail {
  to: string
  subject: string
  paragraphs: string[]
}

async function mails(): Promise<SentMail[]> {
  const { rows } = await sql<{ sealed_mail: string }>`
    select data->>'sealed_mail' as sealed_mail from jobs.job where name = 'send-mail' order by created_on`.execute(
    app.services.db.query,
  )
  return rows.map(
    ({ sealed_mail }) => JSON.parse(app.services.secretBox.open(sealed_mail)!) as SentMail,
  )
}

test('mails every admin and posts when it begins, and once when it is over', async () => {
  problem = 'A thing is broken. Mend it.'
  await round()
  await round()
  await round()
  expect(await mails()).toMatchObject([
    { to: admin.email, subject: 'Velour needs attention: things broken' },
  ])
  expect((await mails())[0]!.paragraphs).toContain('A thing is broken. Mend it.')
  expect(posted).toMatchObject([
    {
      service: 'Velour',
      url: 'https://music.example',
      name: 'things_broken',
      state: 'began',
      message: 'A thing is broken. Mend it.',
      text: 'Velour: A thing is broken. Mend it.',
    },
  ])
  problem = null
  await round()
  await round()
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    'Velour needs attention: things broken',
    'Velour is well again: things broken',
  ])
  expect(posted.map(({ state }) => state)).toEqual(['began', 'resolved'])
})

test('tells nothing of what is seen in one round only', async () => {
  problem = 'A hiccup.'
  await round()
  problem = null
  await round()
  expect([await mails(), posted]).toEqual([[], []])
})

test('reminds once a day while it lasts, with the sentence of now', async () => {
  problem = 'One thing is broken.'
  await round()
  await round()
  const age = (hours: number) =>
    app.services.db.query
      .updateTable('alerts')
      .set({ notified_at: sql<string>`now() - make_interval(hours => ${hours})` })
      .execute()
  problem = 'Two things are broken.'
  await age(23)
  await round()
  expect(posted).toHaveLength(1)
  await age(25)
  await round()
  await round()
  expect(posted.map(({ state, message }) => [state, message])).toEqual([
    ['began', 'One thing is broken.'],
    ['continues', 'Two things are broken.'],
  ])
})

test('many instances check once a minute together', async () => {
  problem = 'A thing is broken.'
  await round()
  await Promise.all(Array.from({ length: 4 }, () => checkAlerts(app.services, conditions)))
  expect(checkCount).toBe(1)
})

test('a check that fails keeps no other from its turn, and changes no state', async () => {
  problem = 'A thing is broken.'
  await round()
  const broken = { name: 'things_broken', check: () => Promise.reject(new Error('unknown')) }
  let wasAsked = false
  const other = { name: 'other', check: async () => ((wasAsked = true), null) }
  await round([broken, other])
  expect(wasAsked).toBe(true)
  expect((await admin.call(getSystem, {})).body.alerts).toMatchObject([{ name: 'things_broken' }])
})

test('ALERT_MAIL_TO takes the place of the admins', async () => {
  problem = 'A thing is broken.'
  const config = { ...app.services.config, alertMailTo: ['a@ops.example', 'b@ops.example'] }
  await round(conditions, { config })
  await round(conditions, { config })
  expect((await mails()).map(({ to }) => to).toSorted()).toEqual(['a@ops.example', 'b@ops.example'])
})

test('a webhook that redirects, refuses or is away is logged without its token, and not asked again', async () => {
  const warnings: unknown[] = []
  const log = Object.create(app.services.log, {
    warn: { value: (...parts: unknown[]) => void warnings.push(parts) },
  }) as typeof app.services.log
  problem = 'A thing is broken.'
  hookStatus = 302
  await round(conditions, { log })
  await round(conditions, { log })
  await round(conditions, { log })
  expect(posted).toHaveLength(1)
  expect(JSON.stringify(warnings)).toContain('"status":302')
  const config = { ...app.services.config, alertWebhook: 'http://127.0.0.1:9/hook?token=hidden' }
  problem = null
  await round(conditions, { log, config })
  expect(JSON.stringify(warnings)).toContain('ALERT_WEBHOOK does not answer')
  expect(JSON.stringify(warnings)).not.toContain('hidden')
  expect(await mails()).toHaveLength(2)
})

test('the System page lists what is wrong now', async () => {
  problem = 'A thing is broken.'
  await round()
  expect((await admin.call(getSystem, {})).body.alerts).toEqual([
    { name: 'things_broken', message: 'A thing is broken.', began_at: expect.any(String) },
  ])
})

const find = (name: string) => alertConditions.find((condition) => condition.name === name)!.check

test('a disk that is low or full', async () => {
  expect(await find('disk_low')(app.services)).toBeNull()
  freeBlocks = 900_000
  await expect
    .poll(() => find('disk_low')(app.services), { timeout: 5000 })
    .toMatch(/has 0\.9 of 10\.0 GB free\. Make room before uploads are refused/)
  freeBlocks = 100_000
  await expect
    .poll(() => find('disk_low')(app.services), { timeout: 5000 })
    .toContain('uploads are refused and new tracks wait')
  freeBlocks = 5_000_000
  await expect.poll(() => find('disk_low')(app.services), { timeout: 5000 }).toBeNull()
})

test('a storage that is away', async () => {
  expect(await find('storage_away')(app.services)).toBeNull()
  const storage = {
    ...app.services.storage,
    readInstallationId: () => Promise.reject(new StorageError('unavailable', 'away')),
  }
  expect(await find('storage_away')({ ...app.services, storage })).toContain(
    'The storage folder is away',
  )
})

test('jobs that have failed', async () => {
  expect(await find('jobs_failed')(app.services)).toBeNull()
  const jobs = {
    ...app.services.jobs,
    count: async () => [
      { job: 'process-track', state: 'failed' as const, count: 2 },
      { job: 'send-mail', state: 'ready' as const, count: 7 },
    ],
  }
  expect(await find('jobs_failed')({ ...app.services, jobs })).toContain(
    '2 background jobs have failed (process-track)',
  )
})

test('a backup that is old or incomplete, or none where there are tracks of ones own', async () => {
  const { query } = app.services.db
  expect(await find('backup_old')(app.services)).toBeNull()
  await query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', created_at: '2026-01-01T00:00:00Z' })
    .execute()
  expect(await find('backup_old')(app.services)).toContain('There is no complete backup')
  const add = (age: string, missing_count = 0) =>
    sql`insert into backups (byte_size, object_count, missing_count, created_at)
        values (1, 1, ${missing_count}, now() - ${age}::interval)`.execute(query)
  await add('9 days')
  await add('1 hour', 3)
  expect(await find('backup_old')(app.services)).toContain('is 9 days old')
  await add('1 hour')
  expect(await find('backup_old')(app.services)).toBeNull()
})
