// `npm run backup`, `npm run restore` and `npm run upgrade-check`: what happens at the terminal.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError, readConfig, type Config } from '../config.ts'
import { DatabaseStartError } from '../db/database-start-error.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { createServerLog } from '../server-log.ts'
import { hearStopSignals, StopWish } from '../stop-signals.ts'
import { openStorage } from '../storage/open-storage.ts'
import { BackupError } from './backup-format.ts'
import { restoreBackup } from './restore-backup.ts'
import { openToolDatabase } from './tool-database.ts'
import { writeBackup } from './write-backup.ts'

const log = createServerLog('error')
const say = (line: string) => process.stdout.write(`  ${line}\n`)

/** Whoever breaks a tool off has nothing left behind: no copy of people's rows, no database, no lock. */
const stopWish = hearStopSignals()

const commands: Record<string, (config: Config, file: string | undefined) => Promise<number>> = {
  backup,
  restore,
  'upgrade-check': upgradeCheck,
}

async function backup(config: Config, file = defaultName()): Promise<number> {
  const path = resolve(file)
  if (existsSync(path)) throw new BackupError(`${path} exists already.`)
  const result = await backUpTo(config, path)
  say(
    `${path}: ${megabytes(result.byteSize)} MB, ${result.rowCount} rows, ${result.objectCount} files`,
  )
  for (const key of result.missingObjects) say(`! The storage does not have ${key}`)
  return result.missingObjects.length > 0 ? 1 : 0
}

async function backUpTo(config: Config, path: string) {
  const database = await openToolDatabase(config, log)
  const storage = await openStorage(config)
  const secretFile = join(config.dataDir, 'secret')
  try {
    return await writeBackup(
      {
        connectionString: database.app,
        storage,
        secretFile: config.secret === null && existsSync(secretFile) ? secretFile : null,
        velourVersion: await readVersion(),
        now: () => new Date(),
        progress: say,
        stopWish,
      },
      path,
    )
  } finally {
    await storage.close()
    await database.close()
  }
}

async function restore(config: Config, file: string | undefined): Promise<number> {
  if (!file) throw new BackupError('Say which file: npm run restore -- FILE')
  await mkdir(config.dataDir, { recursive: true })
  const database = await openTarget(config)
  const storage = await openStorage(config)
  try {
    const result = await restoreBackup(resolve(file), {
      ...database.addresses,
      storage,
      keepSecret: (secret) => keepSecret(config, secret),
      log,
      progress: say,
      stopWish,
    })
    say(`Restored ${result.rowCount} rows and ${result.objectCount} files. Start with: npm start`)
    return 0
  } finally {
    await storage.close()
    await database.close()
  }
}

async function openTarget(config: Config) {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config
  if (databaseUrl) {
    const addresses = { app: databaseUrl, owner: databaseOwnerUrl ?? databaseUrl }
    return { addresses, close: async () => {} }
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  return { addresses: postgres, close: () => postgres.stop() }
}

/** What is sealed in the database can be opened with this key only. */
async function keepSecret(config: Config, secret: string): Promise<void> {
  const path = join(config.dataDir, 'secret')
  if (config.secret !== null) {
    if (config.secret === secret) return
    throw new BackupError('SECRET is not the key of the backup: unset it, or set it to that key.')
  }
  if (existsSync(path) && (await readFile(path, 'utf8')).trim() === secret) return
  await writeFile(path, secret, { mode: 0o600, flush: true })
}

/** Tries this version's migrations on a copy of the rows; the running service does not notice. */
async function upgradeCheck(config: Config): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-upgrade-check-'))
  try {
    const path = join(folder, 'backup.tar')
    const database = await openToolDatabase(config, log)
    const nothing = await openStorage({ s3: null, dataDir: join(folder, 'nothing') })
    try {
      const made = await writeBackup(
        {
          connectionString: database.app,
          storage: nothing,
          secretFile: null,
          velourVersion: await readVersion(),
          now: () => new Date(),
          isTrial: true,
          stopWish,
        },
        path,
      )
      say(`Trying the upgrade on a copy of ${made.rowCount} rows`)
    } finally {
      await nothing.close()
      await database.close()
    }
    const startedAt = performance.now()
    const copy = await startEmbeddedPostgres({ dataDir: join(folder, 'copy'), log, durable: false })
    try {
      const target = { ...copy, storage: null, keepSecret: async () => {}, log, stopWish }
      const { migrations } = await restoreBackup(path, target)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      say(
        migrations.length > 0
          ? `It works: ${migrations.join(', ')}. Copy and upgrade took ${seconds} s.`
          : 'There is nothing to upgrade: the database has the schema of this version.',
      )
      return 0
    } finally {
      await copy.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function defaultName(): string {
  return `velour-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.tar`
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

async function readVersion(): Promise<string> {
  const file = join(import.meta.dirname, '..', '..', 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

async function main(): Promise<number> {
  const [name = '', file] = process.argv.slice(2)
  const command = commands[name]
  if (!command) throw new BackupError(`There is no command ${name}.`)
  return command(readConfig(process.env), file)
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (error instanceof StopWish) {
      process.stderr.write(`\n  ${error.message}\n\n`)
      // As a shell tells of a program that a signal ended.
      process.exit(128 + constants.signals[error.signal])
    }
    const forPerson =
      error instanceof BackupError ||
      error instanceof ConfigError ||
      error instanceof DatabaseStartError
    process.stderr.write(`\n  ${forPerson ? error.message : (error as Error).stack}\n\n`)
    process.exit(1)
  },
)
