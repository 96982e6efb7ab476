// The status of backups that admins see, and starting a backup.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSystem, startBackup } from '#contract/admin/admin-system.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startWorker } from '../../worker.ts'
import { readBackupStatus } from './backup-status.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

test('starting a backup is refused without BACKUP_TO', async () => {
  expect((await admin.call(startBackup, {})).code).toBe('backup_not_set_up')
  expect((await admin.call(getSystem, {})).body.backup).toMatchObject({
    target: null,
    is_overdue: false,
  })
})

test('backups are overdue when the newest complete one is older than two intervals of the schedule', async () => {
  const { config, db } = app.services
  let now = new Date('2026-03-10T03:30:00')
  const place = { kind: 'folder', folder: '/mnt/backup' } as const
  const services = {
    ...app.services,
    now: () => now,
    config: { ...config, backup: { place, schedule: '0 3 * * *', keep: 1 } },
  }
  const status = () => readBackupStatus(services)
  await db.query.deleteFrom('backups').execute()
  await db.query.deleteFrom('backup_runs').execute()
  // A schedule is set, so the first backup will run soon and none is overdue.
  expect(await status()).toMatchObject({ target: '/mnt/backup', is_overdue: false, last_run: null })
  const failed = { result: 'failed', error: 'The disk is gone.' } as const
  await db.query
    .insertInto('backup_runs')
    .values({ ...failed, finished_at: now.toISOString() })
    .execute()
  expect(await status()).toMatchObject({ is_overdue: true, last_run: failed })
  const madeAt = new Date('2026-03-09T03:00:01').toISOString()
  const good = { byte_size: 5, object_count: 1, created_at: madeAt }
  await db.query.insertInto('backups').values(good).execute()
  await db.query
    .insertInto('backups')
    .values({ ...good, created_at: now.toISOString(), missing_count: 2 })
    .execute()
  expect(await status()).toMatchObject({ is_overdue: false })
  now = new Date('2026-03-11T02:59:59')
  expect(await status()).toMatchObject({ is_overdue: false })
  // An incomplete backup does not count as the newest one.
  now = new Date('2026-03-11T03:00:01')
  expect(await status()).toMatchObject({ is_overdue: true })
})

test('an admin can start a backup, see its progress, and find the result in the metrics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'velour-system-backup-'))
  const place = { kind: 'folder', folder } as const
  const own = await createTestApp({
    metricsToken: 'a-token-of-the-collector',
    backup: { place, schedule: null, keep: 1 },
  })
  const figures = async () => {
    const headers = { authorization: 'Bearer a-token-of-the-collector' }
    return (await fetch(`${own.url}/metrics`, { headers })).text()
  }
  try {
    expect(await figures()).toContain('velour_backup_age_seconds +Inf')
    const owner = await own.makePerson({ role: 'admin' })
    const { db } = own.services
    await db.query.insertInto('backup_runs').values({ files_done: 3, files_total: 9 }).execute()
    expect((await owner.call(getSystem, {})).body.backup.running).toMatchObject({ files_done: 3 })
    expect((await owner.call(startBackup, {})).code).toBe('backup_running')
    await sql`update backup_runs set seen_at = now() - interval '1 minute'`.execute(db.query)
    expect((await owner.call(startBackup, {})).status).toBe(204)
    const worker = await startWorker(own.services)
    const read = async () => (await owner.call(getSystem, {})).body.backup
    await expect
      .poll(async () => (await read()).last_run, { timeout: 20_000 })
      .toMatchObject({ result: 'complete' })
    expect(await read()).toMatchObject({ running: null, last_good_at: expect.any(String) })
    const text = await figures()
    expect(text).toMatch(/^velour_backup_last_result 1$/m)
    expect(text).toMatch(/^velour_backup_overdue 0$/m)
    expect(text).toMatch(/^velour_backup_age_seconds \d/m)
    await worker.stop()
  } finally {
    await own.close()
    await rm(folder, { recursive: true })
  }
}, 60_000)
