import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { transaction } from '../db/database.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { startWorker } from '../../worker.ts'
import { findLastTimes, findNextTime, parseSchedule } from './backup-schedule.ts'
import { enqueueDueBackup } from '../../features/backup/make-backup.ts'

test.each([
  ['daily', '0 3 * * *'],
  ['hourly', '0 * * * *'],
  ['*/15 1-5 * * 1', '*/15 1-5 * * 1'],
  ['weekly', null],
  ['0 0 3 * * *', null],
  ['61 * * * *', null],
])('parses %s as the schedule %s', (text, expression) => {
  expect(parseSchedule(text)).toBe(expression)
})

test('counts the current moment as the last scheduled time', () => {
  const at = (text: string) => new Date(`2026-11-23T${text}`)
  const daily = parseSchedule('daily')!
  expect(findLastTimes(daily, at('03:00:00')).last).toEqual(at('03:00:00'))
  expect(findLastTimes(daily, at('02:59:59'))).toEqual({
    last: new Date('2026-11-22T03:00:00'),
    secondLast: new Date('2026-11-21T03:00:00'),
  })
  expect(findNextTime('0 * * * *', at('02:59:59'))).toEqual(at('03:00:00'))
})

test('enqueues one backup per scheduled time, including a missed one', async () => {
  let now = new Date('2026-11-23T12:00:00')
  const place = { kind: 'folder', folder: '/mnt/backup' } as const
  const server = await createTestApp(
    { backup: { place, schedule: '0 3 * * *', keep: 3 } },
    { now: () => now },
  )
  try {
    const { db, jobs } = server.services
    const waiting = async () => {
      await enqueueDueBackup(server.services)
      const { rows } = await db.pool.query<{ count: number }>(
        `select count(*)::int from jobs.job where name = 'make-backup'`,
      )
      return rows[0]!.count
    }
    expect(await waiting()).toBe(1)
    expect(await waiting()).toBe(1)
    await db.pool.query(`delete from jobs.job where name = 'make-backup'`)
    const ended = { finished_at: now.toISOString(), result: 'failed' as const }
    await db.query
      .insertInto('backup_runs')
      .values({ started_at: now.toISOString(), ...ended })
      .execute()
    expect(await waiting()).toBe(0)
    now = new Date('2026-11-24T02:59:00')
    expect(await waiting()).toBe(0)
    now = new Date('2026-11-24T03:00:00')
    expect(await waiting()).toBe(1)
    await jobs.stop()
  } finally {
    await server.close()
  }
})

test('a worker makes a due backup, and records the reason if one fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'velour-due-backup-'))
  const place = { kind: 'folder' as const, folder }
  const server = await createTestApp({ backup: { place, schedule: '0 3 * * *', keep: 3 } })
  const { db, jobs } = server.services
  const worker = await startWorker(server.services)
  const newestRun = () =>
    db.query
      .selectFrom('backup_runs')
      .select(['result', 'error'])
      .where('finished_at', 'is not', null)
      .orderBy('started_at', 'desc')
      .executeTakeFirst()
  try {
    await expect.poll(newestRun, { timeout: 20_000 }).toEqual({ result: 'complete', error: null })
    expect(await readdir(join(folder, 'objects', 'backups'))).toHaveLength(1)
    place.folder = join(folder, 'not-mounted')
    await transaction(db, (trx) => jobs.enqueue(trx, 'make-backup', {}))
    await expect.poll(newestRun, { timeout: 20_000 }).toEqual({
      result: 'failed',
      error: `BACKUP_TO=${place.folder}: there is no such folder. Create it, or mount its disk.`,
    })
  } finally {
    await worker.stop()
    await server.close()
    await rm(folder, { recursive: true })
  }
}, 60_000)
