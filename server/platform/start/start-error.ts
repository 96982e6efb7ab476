// Converts errors that an operator can cause to a short message with the setting, the path and what to do. Any other
// error is a bug in Velour and keeps its stack.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { splitHosts } from '../config/database-hosts.ts'
import { OperatorError } from '../config/operator-error.ts'
import { DatabaseStartError } from '../db/database-start-error.ts'
import { MediaError } from '../ffmpeg/media-error.ts'
import { StorageError } from '../storage/storage.ts'

type Settings = Pick<
  Config,
  'host' | 'port' | 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl' | 'ffmpegPath' | 's3'
>

interface Failure {
  message: string
  code: string
  syscall: string | undefined
  path: string | undefined
  /** Address that refused a connection, or an unknown host name. */
  place: string | undefined
  settings: Settings
  /** The file that a command-line tool reads or writes. */
  file: string | undefined
}

/** Returns the message, or null for an error that an operator cannot cause. */
export function explainStartError(
  error: unknown,
  settings: Settings | null,
  file?: string,
): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof MediaError && settings?.ffmpegPath) {
    return `FFMPEG_PATH=${settings.ffmpegPath}: ${error.message} Unset it to use the ffmpeg that Velour finds, or name another one.`
  }
  if (settings && isDiskFull(error)) {
    const isPostgres = settings.databaseUrl !== null && Reflect.get(error, 'code') === diskFull
    return isPostgres
      ? 'DATABASE_URL: the disk of PostgreSQL is full. Free some space there.'
      : describeFullDisk(file ?? settings.dataDir, file)
  }
  if (error instanceof StorageError && error.problem === 'unavailable' && settings?.s3) {
    return storeUnavailable(settings.s3)
  }
  if (error instanceof OperatorError) return error.message
  const found = settings && explainFailure(readFailure(error, settings, file))
  return found ?? explainStartError(error.cause, settings, file)
}

function readFailure(error: Error, settings: Settings, file: string | undefined): Failure {
  const read = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const address = read('address') ?? read('hostname')
  const isSqlite = read('code') === 'ERR_SQLITE_ERROR'
  return {
    message: error.message,
    code: (isSqlite ? sqliteCodes[read('errcode') ?? ''] : read('code')) ?? s3Code(error) ?? '',
    syscall: read('syscall'),
    path: read('path')?.replace(/(?<=.)\/$/, '') ?? (isSqlite ? settings.dataDir : undefined),
    place: address && (read('port') ? `${address}:${read('port')}` : address),
    settings,
    file,
  }
}

/** SQLite's codes CANTOPEN, PERM and READONLY. */
const sqliteCodes: Record<string, string> = {
  14: 'EACCES',
  3: 'EACCES',
  8: 'EACCES',
  1544: 'EACCES',
}

function s3Code(error: Error): string | undefined {
  const response: unknown = Reflect.get(error, '$metadata')
  const status: unknown = response && Reflect.get(response as object, 'httpStatusCode')
  return status === 403 || status === 401 ? 'S3_REFUSED' : undefined
}

const diskFull = '53100'

function isDiskFull(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code')
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === diskFull) return true
  return error instanceof DatabaseStartError && error.message.includes('No space left on device')
}

const describeFullDisk = (path: string, file: string | undefined) =>
  `The disk of ${path} is full: free some space, ${suggestOtherPath(file)}.`

const suggestOtherPath = (file: string | undefined) =>
  file ? 'or name a file in another place' : 'or choose another folder with DATA_DIR'

type MessageBuilder = (failure: Failure) => string

function explainFailure(failure: Failure): string | null {
  const { code, syscall } = failure
  if (
    syscall === 'listen' ||
    (syscall === 'getaddrinfo' && failure.place === failure.settings.host)
  ) {
    return (portMessages[code] ?? portMessages['other']!)(failure)
  }
  const isOwnDatabase = failure.settings.databaseUrl !== null
  if (isOwnDatabase && Object.hasOwn(databaseMessages, code))
    return databaseMessages[code]!(failure)
  if (isOurFile(failure) && Object.hasOwn(fileMessages, code)) return fileMessages[code]!(failure)
  return code === 'S3_REFUSED' && failure.settings.s3 ? keyRefused(failure.settings.s3) : null
}

/**
 * Whether the path is the data folder, inside it, one of its parents, or the file of a tool. The operator is not
 * responsible for other paths.
 */
function isOurFile({ path, file, settings }: Failure): boolean {
  if (path === undefined) return file !== undefined
  const isRelated = (place: string) => path.startsWith(place) || place.startsWith(path)
  return isRelated(settings.dataDir) || (file !== undefined && isRelated(dirname(file)))
}

const portMessages: Record<string, MessageBuilder> = {
  EADDRINUSE: ({ settings: { host, port } }) =>
    `PORT=${port}: another program already listens on ${host}:${port}. Stop it, or choose another port with PORT.`,
  EACCES: ({ settings: { port } }) =>
    `PORT=${port}: this user may not listen on that port. Choose a port from 1024 on, and let a proxy listen on ${port}.`,
  other: ({ settings: { host } }) =>
    `HOST=${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
}

const refused: MessageBuilder = ({ settings, place, message }) =>
  `${databaseSetting(settings, message, place)}: no PostgreSQL responds at ${place ?? getDatabaseHost(settings)}. ` +
  'Start it, or check host and port.'
const badLogin: MessageBuilder = ({ settings, message }) =>
  `${databaseSetting(settings, message)}: PostgreSQL refuses the role or its password (${message}). ` +
  'Check both in the address, and pg_hba.conf.'
const noRight: MessageBuilder = ({ settings, message }) => {
  const setting = settings.databaseOwnerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'
  const { username, pathname } = new URL(
    splitHosts(settings.databaseOwnerUrl ?? placeUrl(settings))[0]!,
  )
  return (
    `${setting}: the role "${decodeURIComponent(username)}" lacks a right (${message}). ` +
    `Make the role the owner, as a superuser: ALTER DATABASE "${pathname.slice(1)}" OWNER TO "${decodeURIComponent(username)}";`
  )
}
const starting: MessageBuilder = ({ settings, message }) =>
  `${databaseSetting(settings, message)}: PostgreSQL accepts no connections now (${message}). Try again when it is running.`

const databaseMessages: Record<string, MessageBuilder> = {
  ECONNREFUSED: refused,
  ECONNRESET: refused,
  EHOSTUNREACH: refused,
  ENETUNREACH: refused,
  ETIMEDOUT: refused,
  ENOTFOUND: refused,
  EAI_AGAIN: refused,
  '28P01': badLogin,
  '28000': badLogin,
  '3D000': ({ settings, message }) =>
    `${databaseSetting(settings, message)}: ${message}. Create it with createdb, or check the name at the end of the address.`,
  '42501': noRight,
  '53300': starting,
  '57P03': starting,
}

const fileMessages: Record<string, MessageBuilder> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: ({ settings, path, file }) =>
    `${path ?? file ?? settings.dataDir} is on a read-only file system: mount it for writing, ${suggestOtherPath(file)}.`,
  ENOTDIR: notFolder,
  EEXIST: notFolder,
  ENOENT: ({ path = '', file, syscall }) =>
    file && path === file && syscall === 'open'
      ? `There is no file ${file}: check the path.`
      : `${syscall === 'mkdir' ? path : dirname(path)} ${syscall === 'mkdir' ? 'cannot be created' : 'does not exist'}: check the path, ${suggestOtherPath(file)}.`,
}

function forbidden({ settings, path, file }: Failure): string {
  const at = nearest(path ?? file ?? settings.dataDir)
  const own = process.getuid?.() ?? 'unknown'
  return (
    `${file ? '' : 'DATA_DIR: '}this process (user id ${own}) may not write ${at.path}, which belongs to user id ${at.uid}: ` +
    `start Velour as that user, give it the folder (chown -R ${own} ${at.path}), ${suggestOtherPath(file)}.`
  )
}

function notFolder({ settings, path, file }: Failure): string {
  const at = nearest(path ?? settings.dataDir)
  return `${at.path} is a file, and a folder is needed there: move it away, ${suggestOtherPath(file)}.`
}

/** Returns the nearest existing folder of the path, and its owner. */
function nearest(path: string): { path: string; uid: number | string } {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found) return { path, uid: found.uid }
  } catch {
    // The path can't be read, so try its parent folder.
  }
  return path === dirname(path) ? { path, uid: 'unknown' } : nearest(dirname(path))
}

const placeUrl = ({ databaseUrl }: Settings) => databaseUrl ?? 'postgresql:///'

const getDatabaseHost = (settings: Settings) => new URL(splitHosts(placeUrl(settings))[0]!).host

/**
 * Determines which setting is wrong. PostgreSQL's errors contain the name of the role, and system errors that of the
 * server.
 */
function databaseSetting(settings: Settings, message: string, place = ''): string {
  const { databaseOwnerUrl } = settings
  if (databaseOwnerUrl === null) return 'DATABASE_URL'
  const names = (address: string) => {
    const url = new URL(splitHosts(address)[0]!)
    return message.includes(`"${decodeURIComponent(url.username)}"`) || url.host === place
  }
  return !names(placeUrl(settings)) && names(databaseOwnerUrl)
    ? 'DATABASE_OWNER_URL'
    : 'DATABASE_URL'
}

const storeUnavailable = ({ bucket, endpoint }: NonNullable<Settings['s3']>) =>
  `S3_ENDPOINT=${endpoint ?? "Amazon's own"}: the store of the bucket "${bucket}" does not respond. Start it, or check the address.`

const keyRefused = ({ bucket, endpoint }: NonNullable<Settings['s3']>) =>
  `S3_ACCESS_KEY_ID: the store ${endpoint ?? 'of Amazon'} refuses this key, or the key lacks a right for the bucket "${bucket}". ` +
  'Check this key and S3_SECRET_ACCESS_KEY, and the rights listed in docs/object-store.md.'
