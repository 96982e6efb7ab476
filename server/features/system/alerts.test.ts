// When alerts are sent, how, and with which text.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getSystem } from '#contract/admin/admin-system.ts'
import { readBackupStatus } from '../backup/backup-status.ts'
import { StorageError } from '../../platform/storage/storage.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
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
    title: 'broken things',
    async check() {
      checkCount++
      return problem
    },
    resolved: 'Everything works again.',
  },
]

beforeAll(async () => {
  hook = createServer((request, response) => {
    void text(request).then((body) => {
      posted.push(JSON.parse(body) as Record<string, unknown>)
      response.writeHead(hookStatus, { location: '/elsewhere' }).end()
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

/** Runs the checks again, a minute later. */
async function runNextCheck(
  list: readonly AlertCondition[] = conditions,
  overrides: Overrides = {},
): Promise<void> {
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

async function readMails(): Promise<SentMail[]> {
  const { rows } = await sql<{ sealed_mail: string }>`
    select data->>'sealed_mail' as sealed_mail from jobs.job where name = 'send-mail' order by created_on`.execute(
    app.services.db.query,
  )
  return rows.map(
    ({ sealed_mail }) => JSON.parse(app.services.secretBox.open(sealed_mail)!) as SentMail,
  )
}

test('emails every admin and calls the webhook when a condition becomes true, and again when it becomes false', async () => {
  problem = 'A thing is broken. Mend it.'
  await runNextCheck()
  await runNextCheck()
  await runNextCheck()
  expect(await readMails()).toMatchObject([
    { to: admin.email, subject: 'Velour needs attention: broken things' },
  ])
  expect((await readMails())[0]!.paragraphs).toContain('A thing is broken. Mend it.')
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
  await runNextCheck()
  await runNextCheck()
  expect((await readMails()).map(({ subject }) => subject)).toEqual([
    'Velour needs attention: broken things',
    'Resolved in Velour: broken things',
  ])
  expect((await readMails())[1]!.paragraphs).toContain('Everything works again.')
  expect(posted.map(({ state, text }) => [state, text])).toEqual([
    ['began', 'Velour: A thing is broken. Mend it.'],
    ['resolved', 'Velour: Everything works again.'],
  ])
})

test('sends nothing for a condition that is true in only one check', async () => {
  problem = 'A hiccup.'
  await runNextCheck()
  problem = null
  await runNextCheck()
  expect([await readMails(), posted]).toEqual([[], []])
})

test('sends a reminder with the current message once a day while the condition is true', async () => {
  problem = 'One thing is broken.'
  await runNextCheck()
  await runNextCheck()
  const age = (hours: number) =>
    app.services.db.query
      .updateTable('alerts')
      .set({ notified_at: sql<string>`now() - make_interval(hours => ${hours})` })
      .execute()
  problem = 'Two things are broken.'
  await age(23)
  await runNextCheck()
  expect(posted).toHaveLength(1)
  await age(25)
  await runNextCheck()
  await runNextCheck()
  expect(posted.map(({ state, message }) => [state, message])).toEqual([
    ['began', 'One thing is broken.'],
    ['continues', 'Two things are broken.'],
  ])
})

test('only one of several instances runs the checks of each minute', async () => {
  problem = 'A thing is broken.'
  await runNextCheck()
  await Promise.all(Array.from({ length: 4 }, () => checkAlerts(app.services, conditions)))
  expect(checkCount).toBe(1)
})

test('when a check throws, keeps its alert and runs the other checks', async () => {
  problem = 'A thing is broken.'
  await runNextCheck()
  const words = { title: 'words', resolved: 'Over.' }
  const broken = {
    ...words,
    name: 'things_broken',
    check: () => Promise.reject(new Error('unknown')),
  }
  let wasRequested = false
  const other = { ...words, name: 'other', check: async () => ((wasRequested = true), null) }
  await runNextCheck([broken, other])
  expect(wasRequested).toBe(true)
  expect((await admin.call(getSystem, {})).body.alerts).toMatchObject([{ name: 'things_broken' }])
})

test('emails ALERT_MAIL_TO instead of the admins', async () => {
  problem = 'A thing is broken.'
  const config = { ...app.services.config, alertMailTo: ['a@ops.example', 'b@ops.example'] }
  await runNextCheck(conditions, { config })
  await runNextCheck(conditions, { config })
  expect((await readMails()).map(({ to }) => to).toSorted()).toEqual([
    'a@ops.example',
    'b@ops.example',
  ])
})

test("if a webhook redirects, fails or is unreachable, logs this without the URL's token, and does not retry", async () => {
  const warnings: unknown[] = []
  const log = Object.create(app.services.log, {
    warn: { value: (...parts: unknown[]) => void warnings.push(parts) },
  }) as typeof app.services.log
  problem = 'A thing is broken.'
  hookStatus = 302
  await runNextCheck(conditions, { log })
  await runNextCheck(conditions, { log })
  await runNextCheck(conditions, { log })
  expect(posted).toHaveLength(1)
  expect(JSON.stringify(warnings)).toContain('"status":302')
  const config = { ...app.services.config, alertWebhook: 'http://127.0.0.1:9/hook?token=hidden' }
  problem = null
  await runNextCheck(conditions, { log, config })
  expect(JSON.stringify(warnings)).toContain('ALERT_WEBHOOK does not respond')
  expect(JSON.stringify(warnings)).not.toContain('hidden')
  expect(await readMails()).toHaveLength(2)
})

test('lists current alerts on the System page', async () => {
  problem = 'A thing is broken.'
  await runNextCheck()
  expect((await admin.call(getSystem, {})).body.alerts).toEqual([
    {
      name: 'things_broken',
      title: 'things broken',
      message: 'A thing is broken.',
      began_at: expect.any(String),
    },
  ])
})

const find = (name: string) => alertConditions.find((condition) => condition.name === name)!.check

test('alerts when a disk is nearly full or full', async () => {
  expect(await find('disk_low')(app.services)).toBeNull()
  freeBlocks = 900_000
  await expect
    .poll(() => find('disk_low')(app.services), { timeout: 5000 })
    .toMatch(/has 0\.9 of 10\.0 GB free\.\nFree up space before uploads are refused/)
  freeBlocks = 100_000
  await expect
    .poll(() => find('disk_low')(app.services), { timeout: 5000 })
    .toContain('uploads are refused and new tracks wait')
  freeBlocks = 5_000_000
  await expect.poll(() => find('disk_low')(app.services), { timeout: 5000 }).toBeNull()
})

test('alerts when the storage is unreachable', async () => {
  expect(await find('storage_away')(app.services)).toBeNull()
  const storage = {
    ...app.services.storage,
    readInstallationId: () => Promise.reject(new StorageError('unavailable', 'away')),
  }
  expect(await find('storage_away')({ ...app.services, storage })).toContain(
    'The storage folder is missing',
  )
})

test('alerts when jobs have failed', async () => {
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

/** Stores a file check that found damaged files. */
async function damageFiles(): Promise<void> {
  const { query } = app.services.db
  await sql`delete from tracks`.execute(query)
  for (const [index, title] of [
    'Amber Hour',
    'Glass Harbour',
    'Low Tide',
    'Second Wind',
  ].entries()) {
    const source_key = `uploads/audio/${index}.wav`
    const { id } = await query
      .insertInto('tracks')
      .values({ title, artist: 'Ada', source_key })
      .returning('id')
      .executeTakeFirstOrThrow()
    const storage_key = `audio/${id}/high.m4a`
    await sql`insert into renditions (track_id, kind, storage_key, mime, byte_size, duration_seconds, etag)
      values (${id}, 'high', ${storage_key}, 'audio/mp4', 5, 1, 'e')`.execute(query)
    await sql`insert into stored_files (storage_key, problem)
      values (${source_key}, null), (${storage_key}, 'missing')
      on conflict (storage_key) do update set problem = excluded.problem`.execute(query)
  }
}

test('alerts once about damaged files, with their number, their tracks and what to do, and again when they are repaired', async () => {
  const { query } = app.services.db
  expect(await find('files_damaged')(app.services)).toBeNull()
  await damageFiles()
  await runNextCheck(alertConditions)
  await runNextCheck(alertConditions)
  await runNextCheck(alertConditions)
  const [mail, ...others] = await readMails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: admin.email, subject: 'Velour needs attention: damaged files' })
  expect(mail!.paragraphs.slice(1, 3)).toEqual([
    '4 stored files are missing or damaged ("Amber Hour", "Glass Harbour", "Low Tide" and 1 more).',
    '4 can be restored from another file: press "Process all again" on the System page, or run npm run check-files -- --repair on the server.',
  ])
  expect(posted[0]!['text']).toContain('and 1 more). 4 can be restored from another file: press')
  expect(posted.map(({ name, state }) => [name, state])).toEqual([['files_damaged', 'began']])
  expect((await admin.call(getSystem, {})).body.alerts).toMatchObject([
    { name: 'files_damaged', title: 'damaged files' },
  ])

  await sql`update stored_files set problem = 'wrong_bytes' where storage_key like 'uploads/%'`.execute(
    query,
  )
  await sql`delete from stored_files where storage_key like 'audio/%'`.execute(query)
  expect(await find('files_damaged')(app.services)).toMatch(
    /\n4 cannot be restored: the System page shows what to upload again\. Damage can be the first sign of a failing disk\.$/,
  )
  await sql`update tracks set title = repeat('Long ', 20) where title = 'Amber Hour'`.execute(query)
  expect(await find('files_damaged')(app.services)).toContain(`"${'Long '.repeat(8).trim()}…"`)
  await sql`update stored_files set problem = null`.execute(query)
  await runNextCheck(alertConditions)
  expect((await readMails()).map(({ subject }) => subject)).toEqual([
    'Velour needs attention: damaged files',
    'Resolved in Velour: damaged files',
  ])
  expect((await admin.call(getSystem, {})).body.alerts).toEqual([])
})

const addBackup = (age: string, missing_count = 0) =>
  sql`insert into backups (byte_size, object_count, missing_count, created_at)
      values (1, 1, ${missing_count}, now() - ${age}::interval)`.execute(app.services.db.query)

const isOverdue = async (overrides: Overrides = {}) =>
  (await readBackupStatus({ ...app.services, ...overrides })).is_overdue

test('without a schedule, alerts if the last backup is older than a week, or if the owner’s tracks were never backed up', async () => {
  const { query } = app.services.db
  await sql`delete from tracks`.execute(query)
  const addTrack = (age: string) =>
    sql`insert into tracks (title, artist, created_at) values ('A', 'B', now() - ${age}::interval)`.execute(
      query,
    )
  await addTrack('6 days')
  expect(await find('backup_old')(app.services)).toBeNull()
  await addTrack('8 days')
  expect(await find('backup_old')(app.services)).toBe(
    'There is no complete backup.\nRun npm run backup on the server, or set BACKUP_TO for scheduled backups.',
  )
  await addBackup('9 days')
  await addBackup('1 hour', 3)
  expect(await find('backup_old')(app.services)).toContain(
    'The last complete backup is 9 days old.',
  )
  expect(await isOverdue()).toBe(true)
  await addBackup('6 days')
  expect(await find('backup_old')(app.services)).toBeNull()
  expect(await isOverdue()).toBe(false)
})

test('with a schedule, alerts if the last backup is older than two intervals, like the System page', async () => {
  const { query } = app.services.db
  await sql`delete from backups`.execute(query)
  const place = { kind: 'folder', folder: '/mnt/backup' } as const
  const at = (schedule: string) => ({
    config: { ...app.services.config, backup: { place, schedule, keep: 1 } },
  })
  const hourly = at('0 * * * *')
  const weekly = at('0 3 * * 1')
  await addBackup('5 hours')
  await query
    .insertInto('backup_runs')
    .values({ result: 'failed', error: 'The disk is gone.', finished_at: new Date().toISOString() })
    .execute()
  expect(await find('backup_old')({ ...app.services, ...hourly })).toBe(
    'The last complete backup is 5 hours old. The last attempt failed: The disk is gone.\n' +
      'Press "Back up now" on the System page. If that fails, run npm run doctor on the server.',
  )
  expect([await isOverdue(hourly), await isOverdue(weekly)]).toEqual([true, false])
  expect(await find('backup_old')({ ...app.services, ...weekly })).toBeNull()
  await sql`update backups set created_at = now() - interval '15 days'`.execute(query)
  expect(await isOverdue(weekly)).toBe(true)
})
