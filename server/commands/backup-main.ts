// The commands `npm run backup`, `npm run restore` and `npm run upgrade-check`.
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readBuildVersion } from '../platform/config/build-version.ts'
import { readConfig, type Config } from '../platform/config/config.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { findSecrets } from '../platform/security/secret.ts'
import { createServerLog } from '../platform/start/server-log.ts'
import { makeDataFolder } from '../platform/start/start-checks.ts'
import { explainStartError } from '../platform/start/start-error.ts'
import { listenForStopSignals, StopRequest } from '../platform/process/stop-signals.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { createArchive, fileOutput, streamOutput } from '../features/backup/archive-writer.ts'
import { encryptWithPassphrase } from '../features/backup/backup-encryption.ts'
import { BackupError } from '../features/backup/backup-format.ts'
import type { BackupOptions } from '../platform/config/backup-options.ts'
import { namePlace, parseBackupPlace } from '../platform/config/backup-place.ts'
import { openBackupTarget } from '../features/backup/backup-target.ts'
import { openBackupFile, type BackupReader } from '../features/backup/read-archive.ts'
import { restoreBackup } from '../features/backup/restore-backup.ts'
import { runBackup } from '../features/backup/run-backup.ts'
import { openStoredBackup } from '../features/backup/target-reader.ts'
import { openToolDatabase } from '../platform/start/tool-database.ts'
import {
  markUnfinishedRestore,
  unmarkUnfinishedRestore,
} from '../features/backup/unfinished-restore.ts'
import { findSecretFile, writeBackup, type BackupSource } from '../features/backup/write-backup.ts'

const log = createServerLog('error', { forPerson: process.stdout.isTTY })
let printLine = (line: string): void => void process.stdout.write(`  ${line}\n`)

/**
 * Aborts on a stop signal, so that an interrupted command deletes its temporary copies and its database and releases
 * its locks.
 */
const stopSignal = listenForStopSignals()

const commands: Record<string, (config: Config, ...args: string[]) => Promise<number>> = {
  backup,
  restore,
  'upgrade-check': upgradeCheck,
}

async function backup(config: Config, to?: string): Promise<number> {
  if (to === '--stdout') return backUpToStdout(config)
  if (to === undefined && config.backup) return backUpToTarget(config, config.backup)
  const encryption = readEncryption(config, 'the backup')
  const path = resolve(to ?? `${defaultName()}${encryption ? '.age' : ''}`)
  if (existsSync(path)) throw new BackupError(`${path} already exists.`)
  const result = await withSource(config, (source) =>
    writeBackup(source, createArchive(fileOutput(path), encryption)),
  )
  printLine(
    `${path}: ${megabytes(result.byteSize)} MB, ${result.rowCount} rows, ${result.objectCount} files`,
  )
  return getExitCode(result)
}

/** Writes the backup to stdout, for restic, rclone and similar programs. Messages go to stderr. */
async function backUpToStdout(config: Config): Promise<number> {
  if (process.stdout.isTTY) {
    throw new BackupError('Standard output is this terminal: pipe it into a program or a file.')
  }
  printLine = (line) => void process.stderr.write(`  ${line}\n`)
  const archive = createArchive(streamOutput(process.stdout), readEncryption(config, 'the backup'))
  const result = await withSource(config, (source) => writeBackup(source, archive))
  printLine(
    `${megabytes(result.byteSize)} MB, ${result.rowCount} rows, ${result.objectCount} files written`,
  )
  return getExitCode(result)
}

async function backUpToTarget(config: Config, { place, keep }: BackupOptions): Promise<number> {
  const result = await withSource(config, (source) =>
    runBackup(source, {
      openTarget: () => openBackupTarget(place, { ...targetOptions(config), forWriting: true }),
      keep,
      explain: (error) => explainStartError(error, config) ?? String(error),
    }),
  )
  const { copied, removed } = result
  printLine(
    `${namePlace(place)}, backup ${result.name}: ${megabytes(result.byteSize)} MB, ${result.rowCount} rows, ${result.objectCount} files`,
  )
  printLine(
    `${copied.count} files copied (${megabytes(copied.bytes)} MB), the others were already there`,
  )
  if (removed.backups > 0) printLine(`${removed.backups} old backups removed`)
  return getExitCode(result)
}

function getExitCode({ missingObjects }: { missingObjects: string[] }): number {
  if (missingObjects.length === 0) return 0
  reportMissingObjects('This backup is incomplete', missingObjects)
  return 1
}

const readEncryption = ({ backupPassphrase }: Config, name: string) =>
  backupPassphrase === null ? null : encryptWithPassphrase(backupPassphrase, name)

const targetOptions = ({ dataDir, backupPassphrase }: Config) => ({
  dataDir,
  passphrase: backupPassphrase,
})

function reportMissingObjects(what: string, missing: string[]): void {
  printLine(
    `! ${what}: the storage lacked ${missing.length} of the files that the database refers to:`,
  )
  for (const key of missing) printLine(`!   ${key}`)
}

async function withSource<T>(
  config: Config,
  use: (source: BackupSource) => Promise<T>,
): Promise<T> {
  const database = await openToolDatabase(config, log)
  const storage = await openStorage(config)
  try {
    return await use({
      connectionString: database.app,
      storage,
      secretFile: findSecretFile(config),
      build: readBuildVersion(config),
      now: () => new Date(),
      progress: printLine,
      stopSignal,
    })
  } finally {
    await storage.close()
    await database.close()
  }
}

/**
 * Finds the backup that the arguments name: a file, or a backup in a target or in BACKUP_TO, by name or the newest.
 */
async function findBackup(
  config: Config,
  from: string | undefined,
  name: string | undefined,
): Promise<{ backup: BackupReader; path: string; close: () => Promise<void> }> {
  const place = from ? parseBackupPlace(from, config.s3Account) : config.backup?.place
  if (!place) {
    throw new BackupError(
      'Name the backup: npm run restore -- FILE, or a folder or s3://bucket/prefix of backups.',
    )
  }
  if (typeof place === 'string') {
    throw new BackupError(
      place === 'no_account'
        ? `${from} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`
        : `${from} must look like s3://bucket/prefix.`,
    )
  }
  if (
    place.kind === 'folder' &&
    !statSync(place.folder, { throwIfNoEntry: false })?.isDirectory()
  ) {
    const path = place.folder
    return { backup: openBackupFile(path, config.backupPassphrase), path, close: async () => {} }
  }
  const target = await openBackupTarget(place, { ...targetOptions(config), forWriting: false })
  try {
    const backup = await openStoredBackup(target, name)
    printLine(`Restoring ${backup.name}`)
    // The path of the restore command, to repeat it after an interruption.
    return { backup, path: [namePlace(place), name].filter(Boolean).join(' '), close: target.close }
  } catch (error) {
    await target.close()
    throw error
  }
}

async function restore(config: Config, from?: string, name?: string): Promise<number> {
  makeDataFolder(config.dataDir)
  const { backup, path, close } = await findBackup(config, from, name)
  try {
    return await restoreFrom(config, backup, path)
  } finally {
    await close()
  }
}

async function restoreFrom(config: Config, backup: BackupReader, path: string): Promise<number> {
  const database = await openTarget(config)
  const storage = await openStorage(config)
  try {
    const result = await restoreBackup(backup, {
      ...database.addresses,
      storage,
      keepSecret: (secret) => saveSecret(config, secret),
      ...(!config.acceptNewSecret && { secrets: (await findSecrets(config)) ?? [] }),
      isSecretSet: config.secret !== null,
      onLoading: () => markUnfinishedRestore(config.dataDir, path),
      onLoaded: () => unmarkUnfinishedRestore(config.dataDir),
      log,
      progress: printLine,
      stopSignal,
    })
    if (result.missingObjects.length > 0) {
      reportMissingObjects('The backup was incomplete when it was created', result.missingObjects)
    }
    printLine(
      `Restored ${result.rowCount} rows and ${result.objectCount} files. Start with: npm start`,
    )
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

/** Saves the secret key of the backup, because only this key can decrypt the secrets in the database. */
async function saveSecret(config: Config, secret: string): Promise<void> {
  const path = join(config.dataDir, 'secret')
  if (config.secret !== null) {
    if (config.secret === secret) return
    throw new BackupError('SECRET is not the key of the backup: unset it, or set it to that key.')
  }
  if (existsSync(path) && (await readFile(path, 'utf8')).trim() === secret) return
  await writeFile(path, secret, { mode: 0o600, flush: true })
}

/** Tests this version's migrations on a copy of the rows. The running service is not affected. */
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
          build: readBuildVersion(config),
          now: () => new Date(),
          isTrial: true,
          stopSignal,
        },
        path,
      )
      printLine(`Testing the upgrade on a copy of ${made.rowCount} rows`)
    } finally {
      await nothing.close()
      await database.close()
    }
    const startedAt = performance.now()
    const copy = await startEmbeddedPostgres({ dataDir: join(folder, 'copy'), log, durable: false })
    try {
      const target = { ...copy, storage: null, keepSecret: async () => {}, log, stopSignal }
      const { migrations } = await restoreBackup(path, target)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      printLine(
        migrations.length > 0
          ? `The upgrade works: ${migrations.join(', ')}. Copy and upgrade took ${seconds} s.`
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

/** The configuration and file of the running command, for error messages. */
let used: { config: Config; file: string | undefined } | null = null

async function main(): Promise<number> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = commands[name]
  if (!command) throw new BackupError(`There is no command ${name}.`)
  const config = readConfig(process.env)
  const isFile = args[0] && !args[0].startsWith('s3:') && !args[0].startsWith('--')
  used = { config, file: isFile ? resolve(args[0]!) : undefined }
  return command(config, ...args)
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (error instanceof StopRequest) {
      process.stderr.write(`\n  ${error.message}\n\n`)
      // Shells use this exit code for a program that was ended by a signal.
      process.exit(128 + constants.signals[error.signal])
    }
    const message = explainStartError(error, used?.config ?? null, used?.file)
    process.stderr.write(`\n  ${message ?? (error as Error).stack}\n\n`)
    process.exit(1)
  },
)
