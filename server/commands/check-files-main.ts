// The command `npm run check-files`: compares all stored files with the database, with or without a running server.
// `--repair` recreates what can be recreated.
import { constants } from 'node:os'
import type { DamagedFile } from '#contract/fields/stored-files.ts'
import { openToolDatabase } from '../platform/start/tool-database.ts'
import { readConfig, type Config } from '../platform/config/config.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { DatabaseStartError } from '../platform/db/database-start-error.ts'
import { openJobQueue } from '../platform/jobs/job-queue.ts'
import { createFfmpeg } from '../platform/ffmpeg/ffmpeg.ts'
import { createServerLog } from '../platform/start/server-log.ts'
import { explainStartError } from '../platform/start/start-error.ts'
import { listenForStopSignals, StopRequest } from '../platform/process/stop-signals.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { reserveKeys } from '../platform/storage/storage-garbage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { processTrack } from '../features/tracks/processing/process-track.ts'
import { checkFiles } from '../features/file-checks/check-files.ts'
import { listDamagedFiles } from '../features/file-checks/damaged-files.ts'
import { repairPictures, findRepairableTracks } from '../features/file-checks/repair-files.ts'

const log = createServerLog('error', { forPerson: process.stdout.isTTY })
const printLine = (line: string) => process.stdout.write(`  ${line}\n`)
const stopSignal = listenForStopSignals()
/** How long `--repair` keeps orphans, which are files that no row refers to, in case they are needed after all. */
const orphanHours = 7 * 24

const problemLabels: Record<DamagedFile['problem'], string> = {
  missing: 'missing',
  wrong_size: 'wrong size',
  wrong_bytes: 'wrong bytes',
}
const kindLabels: Record<DamagedFile['kind'], string> = {
  source: 'recording',
  standard: 'standard quality',
  high: 'high quality',
  preview: 'preview',
  cover: 'cover',
  avatar: 'profile picture',
  evidence: 'evidence file',
  branding: 'logo or icon',
}

const describe = ({ problem, kind, title, storage_key }: DamagedFile) =>
  `${problemLabels[problem]}: ${title === null ? '' : `"${title}", `}${kindLabels[kind]} (${storage_key})`

let config: Config | null = null

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  const unknown = args.find((arg) => arg !== '--repair')
  if (unknown !== undefined) {
    printLine(
      `There is no option ${unknown}. Usage: npm run check-files, or npm run check-files -- --repair`,
    )
    return 2
  }
  config = readConfig(process.env)
  const addresses = await openToolDatabase(config, log)
  const db = createDatabase({ connectionString: addresses.app, maxConnections: 6, log })
  try {
    await refuseOlderSchema(db)
    const storage = await openStorage(config)
    try {
      return await run({ db, storage, connectionString: addresses.app }, args.includes('--repair'))
    } finally {
      await storage.close()
    }
  } finally {
    await db.close()
    await addresses.close()
  }
}

async function refuseOlderSchema(db: Database): Promise<void> {
  const tables = await db.query.introspection.getTables()
  if (tables.some(({ name }) => name === 'file_checks')) return
  throw new DatabaseStartError(
    'The database is older than this version: start it once with npm start.',
  )
}

async function run(
  services: { db: Database; storage: Storage; connectionString: string },
  wantsRepair: boolean,
): Promise<number> {
  const { db, storage } = services
  const { checkedCount, orphans } = await checkFiles({ db, storage }, { signal: stopSignal })
  const damaged = await listDamagedFiles(db)
  const files = `${checkedCount.toLocaleString('en')} files checked`
  if (damaged.length === 0 && orphans.length === 0) {
    printLine(`${files}: all are intact.`)
    return 0
  }
  for (const file of damaged) printLine(`! ${describe(file)}`)
  for (const key of orphans) printLine(`! no owner: ${key}`)
  printLine(`${files}: ${damaged.length} damaged, ${orphans.length} without an owner.`)
  if (!wantsRepair) {
    printLine('Repair what can be repaired: npm run check-files -- --repair')
    return 1
  }
  return repair(services, damaged, orphans)
}

async function repair(
  services: { db: Database; storage: Storage; connectionString: string },
  damaged: DamagedFile[],
  orphans: string[],
): Promise<number> {
  const { db, storage } = services
  if (damaged.some((file) => file.can_repair)) await recreateFiles(services, damaged)
  await reserveKeys(db, orphans, orphanHours)
  const after = await checkFiles({ db, storage }, { signal: stopSignal })
  const left = await listDamagedFiles(db)
  for (const file of left) printLine(`! Cannot be repaired: ${describe(file)}`)
  if (left.some(({ kind }) => kind === 'source')) {
    printLine('A recording cannot be recreated: upload it again as the new recording of its track.')
  }
  if (orphans.length > 0)
    printLine(`${orphans.length} files without an owner will be deleted in 7 days.`)
  printLine(`${damaged.length - left.length} of ${damaged.length} damaged files were repaired.`)
  return left.length + after.orphans.length === 0 ? 0 : 1
}

async function recreateFiles(
  { db, storage, connectionString }: { db: Database; storage: Storage; connectionString: string },
  damaged: DamagedFile[],
): Promise<void> {
  const ffmpeg = await createFfmpeg({ ffmpegPath: config!.ffmpegPath ?? undefined, log })
  // Opens the queue only to add jobs, for tracks that change at the same time. A running server processes them.
  const jobs = await openJobQueue({ connectionString, log })
  const services = { db, storage, pictures: { db, storage }, ffmpeg, jobs, now: () => new Date() }
  try {
    for (const id of findRepairableTracks(damaged)) {
      stopSignal.throwIfAborted()
      const title = damaged.find(({ track_id }) => track_id === id)?.title
      printLine(`Processing "${title}" again`)
      // If processing fails, the second check reports the track.
      await processTrack(services, id, { signal: stopSignal, isLastAttempt: true }).catch(
        (error: unknown) => {
          if (stopSignal.aborted) throw error
          printLine(`! "${title}": ${error instanceof Error ? error.message : String(error)}`)
        },
      )
    }
    await repairPictures(services, { signal: stopSignal })
  } finally {
    await jobs.stop()
  }
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (stopSignal.aborted && stopSignal.reason instanceof StopRequest) {
      process.stderr.write(`\n  ${stopSignal.reason.message}\n\n`)
      process.exit(128 + constants.signals[stopSignal.reason.signal])
    }
    process.stderr.write(`\n  ${explainStartError(error, config) ?? (error as Error).stack}\n\n`)
    process.exit(1)
  },
)
