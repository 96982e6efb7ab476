// The conditions that cause alerts. To add a condition, add an entry to the list.
import type { BackupStatus } from '#contract/admin/admin-system.ts'
import type { DamagedFile } from '#contract/fields/stored-files.ts'
import { readBackupStatus } from '../backup/backup-status.ts'
import type { ReadBranding } from '../settings/branding.ts'
import { listDamagedFiles } from '../file-checks/damaged-files.ts'
import { listFailedWebhooks } from '../webhooks/endpoint-operations.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import type { Heartbeat } from './instance-heartbeat.ts'
import { getDiskSpace, isStorageReachable } from './system-operations.ts'

export type AlertServices = Pick<
  PlatformServices,
  'config' | 'db' | 'disk' | 'jobs' | 'log' | 'now' | 'secretBox' | 'storage'
> & { branding: ReadBranding; heartbeat: Heartbeat }

export interface AlertCondition {
  /** The name used in webhook calls and as a label of the metric. */
  name: string
  /** The title used in the subject of the email. */
  title: string
  /**
   * If the condition is true, returns what happened, a line break, and what to do. Otherwise returns null. Throws if
   * the check fails.
   */
  check: (services: AlertServices) => Promise<string | null>
  /** The message that is sent when the condition is no longer true. */
  resolved: string
}

export const alertConditions: readonly AlertCondition[] = [
  {
    name: 'disk_low',
    title: 'low disk space',
    check: checkDisk,
    resolved: 'All disks have enough free space again.',
  },
  {
    name: 'storage_away',
    title: 'storage not reachable',
    check: checkStorage,
    resolved: 'The storage of audio and pictures is reachable again.',
  },
  {
    name: 'jobs_failed',
    title: 'failed jobs',
    check: checkFailedJobs,
    resolved: 'There are no longer any failed background jobs.',
  },
  {
    name: 'files_damaged',
    title: 'damaged files',
    check: checkFiles,
    resolved: 'No stored files are missing or damaged now.',
  },
  {
    name: 'backup_old',
    title: 'backup overdue',
    check: checkBackup,
    resolved: 'There is a recent complete backup again.',
  },
  {
    name: 'webhooks_disabled',
    title: 'webhooks disabled',
    check: checkWebhooks,
    resolved: 'No webhooks are disabled because of failures now.',
  },
]

async function checkDisk(services: AlertServices): Promise<string | null> {
  const { host, folder, free_bytes, total_bytes, level } = await getDiskSpace(services)
  if (level === 'ok') return null
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
  const disk = `The disk of ${host}${folder && ` (folder ${folder})`} has ${gigabytes(free_bytes)} of ${gigabytes(total_bytes)} GB free`
  return level === 'full'
    ? `${disk}: uploads are refused and new tracks wait.\nFree up space, and both resume automatically.`
    : `${disk}.\nFree up space before uploads are refused.`
}

async function checkStorage({ config, storage, log }: AlertServices): Promise<string | null> {
  if (await isStorageReachable(storage, log)) return null
  return config.s3
    ? `The bucket ${config.s3.bucket} does not answer, refuses the key, or belongs to another installation.\nRun npm run doctor on the server to find out which.`
    : 'The storage folder is missing, or belongs to another installation.\nCheck that its volume is mounted, then run npm run doctor on the server.'
}

async function checkFailedJobs({ jobs }: AlertServices): Promise<string | null> {
  const failed = (await jobs.count()).filter(({ state, count }) => state === 'failed' && count > 0)
  const count = failed.reduce((sum, job) => sum + job.count, 0)
  if (count === 0) return null
  const kinds = failed.map((job) => job.job).join(', ')
  return `${count} background ${count === 1 ? 'job has' : 'jobs have'} failed (${kinds}).\nThe System page lists them with the reason. Retry or discard them there.`
}

async function checkFiles({ db }: AlertServices): Promise<string | null> {
  const files = await listDamagedFiles(db)
  return files.length === 0 ? null : `${describeDamage(files)}\n${adviseRepair(files)}`
}

/** Maximum number of damaged tracks and pictures that a message names. */
const namedOwners = 3
const titleMaxLength = 40

function describeDamage(files: readonly DamagedFile[]): string {
  const owners = [...new Set(files.map(nameOwner))]
  const more = owners.length - namedOwners
  const named = more > 0 ? [...owners.slice(0, namedOwners), `${more} more`] : owners
  const are = files.length === 1 ? 'file is' : 'files are'
  return `${files.length} stored ${are} missing or damaged (${joinWords(named)}).`
}

function nameOwner({ title }: DamagedFile): string {
  if (title === null) return "a person's picture"
  const letters = [...title]
  return letters.length <= titleMaxLength
    ? `"${title}"`
    : `"${letters.slice(0, titleMaxLength).join('').trimEnd()}…"`
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function adviseRepair(files: readonly DamagedFile[]): string {
  const repairable = files.filter((file) => file.can_repair).length
  const rest = files.length - repairable
  const hasChanged = files.some(({ problem }) => problem !== 'missing')
  return [
    repairable > 0 &&
      `${repairable} can be restored from another file: press "Process all again" on the System page, or run npm run check-files -- --repair on the server.`,
    rest > 0 && `${rest} cannot be restored: the System page shows what to upload again.`,
    hasChanged && 'Damage can be the first sign of a failing disk.',
  ]
    .filter(Boolean)
    .join(' ')
}

async function checkBackup(services: AlertServices): Promise<string | null> {
  const status = await readBackupStatus(services)
  if (!status.is_overdue) return null
  return `${describeAge(status, services.now())}${describeLastRun(status)}\n${adviseBackup(status)}`
}

function describeAge({ last_good_at }: BackupStatus, now: Date): string {
  if (last_good_at === null) return 'There is no complete backup.'
  const hours = Math.floor((now.getTime() - Date.parse(last_good_at)) / 3600_000)
  const age = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
  return `The last complete backup is ${age} old.`
}

function describeLastRun({ last_run }: BackupStatus): string {
  if (last_run?.result === 'failed') return ` The last attempt failed: ${last_run.error}`
  return last_run?.result === 'incomplete' ? ' The last backup lacks files.' : ''
}

function adviseBackup({ target }: BackupStatus): string {
  return target === null
    ? 'Run npm run backup on the server, or set BACKUP_TO for scheduled backups.'
    : 'Press "Back up now" on the System page. If that fails, run npm run doctor on the server.'
}

async function checkWebhooks({ db }: AlertServices): Promise<string | null> {
  const disabled = await listFailedWebhooks(db)
  if (disabled.length === 0) return null
  const hosts = [...new Set(disabled.map(({ url }) => new URL(url).host))]
  const are = disabled.length === 1 ? 'webhook was' : 'webhooks were'
  return `${disabled.length} ${are} disabled because deliveries failed for days (${joinWords(hosts.slice(0, namedOwners))}).\nThe Webhooks page shows the responses. Enable or delete them there.`
}
