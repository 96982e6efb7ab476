// The database cluster on disk: `<folder>/data` and a file with the password. Created under another name, flushed to
// disk and then renamed, so that it is never incomplete.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../db/database-start-error.ts'
import { type PostgresBinaries, readMajorVersion } from './postgres-binaries.ts'
import { buildCommandAs, type PostgresUser } from './postgres-user.ts'

export interface PostgresCluster {
  dataFolder: string
  password: string
}

const unfinishedPrefix = 'unfinished-'

// Text is always sorted by code point. Only the character types come from a locale of the system, so try several: not
// every system has every locale.
const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'C']

export interface ClusterOptions {
  folder: string
  binaries: PostgresBinaries
  user: PostgresUser
  durable: boolean
}

/** Opens the cluster in `folder`, creating it if there is none. `folder` must exist and belong to `user`. */
export async function ensureCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const { folder, binaries, user } = options
  const dataFolder = join(folder, 'data')
  const passwordFile = getPasswordFile(folder)
  const major = await readMajorVersion(binaries)
  if (existsSync(dataFolder)) {
    refuseOtherMajor(dataFolder, major)
    adoptCopy(folder, user)
    if (!existsSync(passwordFile)) {
      throw new DatabaseStartError(`The database's password file ${passwordFile} is missing.`)
    }
  } else {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(unfinishedPrefix)) await rm(join(folder, name), { recursive: true })
    }
    if (!existsSync(passwordFile)) await writePassword(passwordFile, user)
    const unfinished = join(folder, unfinishedPrefix + process.pid)
    await initialize(options, unfinished, passwordFile)
    await rename(unfinished, dataFolder)
    await syncFolder(folder)
  }
  return { dataFolder, password: readPassword(folder) }
}

const getPasswordFile = (folder: string) => join(folder, 'password')

/** Reads the password of the database's superuser. */
export function readPassword(folder: string): string {
  return readFileSync(getPasswordFile(folder), 'utf8').trim()
}

/** Creates a folder that only the database's user may enter. */
export function ensurePrivateFolder(folder: string, user: PostgresUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
}

/**
 * Corrects owner and mode of a copied folder. It may belong to the user who copied it, such as root, and be open to
 * others. PostgreSQL refuses both.
 */
function adoptCopy(folder: string, user: PostgresUser): void {
  const dataFolder = join(folder, 'data')
  const { mode, uid } = statSync(dataFolder)
  const inner = statSync(join(dataFolder, 'PG_VERSION')).uid
  if (user && (uid !== user.uid || inner !== user.uid)) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      lchownSync(join(entry.parentPath, entry.name), user.uid, user.gid)
    }
  } else if (!user && uid !== process.getuid?.()) {
    throw new DatabaseStartError(
      `The database folder ${dataFolder} belongs to another user (uid ${uid}): run "chown -R ${process.getuid?.()} ${folder}" as root, or start Velour as root.`,
    )
  }
  if ((mode & 0o077) !== 0) chmodSync(dataFolder, 0o700)
}

function refuseOtherMajor(dataFolder: string, major: number): void {
  const versionFile = join(dataFolder, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    throw new DatabaseStartError(`${dataFolder} exists but holds no PostgreSQL database.`)
  }
  const found = readFileSync(versionFile, 'utf8').trim()
  if (found === String(major)) return
  throw new DatabaseStartError(
    `The database in ${dataFolder} was created by PostgreSQL ${found}, and this Velour ships PostgreSQL ${major}:` +
      'start the Velour version that created it, back up, and restore the backup into a new data folder.',
  )
}

async function writePassword(passwordFile: string, user: PostgresUser): Promise<void> {
  const unfinished = `${passwordFile}.${unfinishedPrefix}${process.pid}`
  await writeFile(unfinished, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true })
  if (user) chownSync(unfinished, user.uid, user.gid)
  await rename(unfinished, passwordFile)
}

async function initialize(options: ClusterOptions, dataFolder: string, passwordFile: string) {
  let output = ''
  for (const characterType of characterTypes) {
    const result = await runInitdb(options, [
      `--pgdata=${dataFolder}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characterType}`,
      '--data-checksums',
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ])
    if (result.exitCode === 0) return
    output = result.output
    if (!output.includes('invalid locale name')) break
  }
  throw new DatabaseStartError(`Creating the database in ${dataFolder} failed: ${output.trim()}`)
}

function runInitdb({ binaries, user }: ClusterOptions, initdbArgs: string[]) {
  const { program, args, options } = buildCommandAs(user, binaries.initdb, initdbArgs)
  return new Promise<{ exitCode: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, {
      ...options,
      cwd: '/',
      env: binaries.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output }))
  })
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
