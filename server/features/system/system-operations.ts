// Operations for the System page of the back office.
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import type * as contract from '#contract/admin/admin-system.ts'
import type { Output } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { readBackupStatus } from '../backup/backup-status.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { readFileCheckStatus } from '../file-checks/damaged-files.ts'
import { enqueueRepairs } from '../file-checks/repair-files.ts'
import {
  deleteFailedJob,
  listFailedJobs,
  requeueFailedJobs,
} from '../../platform/jobs/failed-jobs.ts'
import { jobNames } from '../../platform/jobs/job-kinds.ts'
import type { JobCount } from '../../platform/jobs/job-queue.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { getSpaceLevel } from '../../platform/storage/disk-space.ts'
import { aliveSeconds, type Heartbeat } from './instance-heartbeat.ts'
import type { StripeAccess } from '../billing/stripe-client.ts'

export type SystemServices = Pick<
  PlatformServices,
  'now' | 'config' | 'db' | 'log' | 'disk' | 'ffmpeg' | 'jobs' | 'mailer' | 'storage'
> & {
  branding: ReadBranding
  settings: SettingsCache
  heartbeat: Heartbeat
  stripe: StripeAccess
}

const reachableMs = 3000

export async function readSystem(services: SystemServices): Promise<Omit<SystemStatus, 'alerts'>> {
  const { config, db, ffmpeg, jobs, log, mailer, storage, stripe } = services
  const [instances, isReachable, database, counts, failedJobs, lastBackup, files, backup] =
    await Promise.all([
      listInstances(services),
      isStorageReachable(storage, log),
      readDatabase(db),
      jobs.count(),
      listFailedJobs(db),
      findLastBackup(db),
      readFileCheckStatus(db),
      readBackupStatus(services),
    ])
  return {
    instances,
    storage: {
      kind: config.s3 ? 's3' : 'disk',
      bucket: config.s3?.bucket ?? null,
      is_reachable: isReachable,
    },
    database: { ...database, is_embedded: config.databaseUrl === null },
    queue: groupByJob(counts),
    failed_jobs: failedJobs,
    last_backup: lastBackup,
    files,
    backup,
    ffmpeg: { backend: ffmpeg.backend, version: ffmpeg.version },
    mail: mailer.sendsBySmtp ? 'smtp' : 'outbox',
    stripe: stripe.isSetUp(),
  }
}

/** The disk with the smallest share of free space among the disks of all running instances. */
export async function getDiskSpace(
  services: Pick<SystemServices, 'db' | 'disk' | 'heartbeat'>,
): Promise<Output<typeof contract.getDiskSpace>> {
  const alive = (await listInstances(services)).filter((instance) => instance.is_alive)
  const [fullest] = alive.toSorted((a, b) => urgency(a) - urgency(b))
  const { host, folder, free_bytes, total_bytes, level } = fullest!
  return { host, folder, free_bytes, total_bytes, level }
}

const levelOrder = { full: 0, low: 1, ok: 2 } as const

function urgency({ level, free_bytes, total_bytes }: SystemStatus['instances'][number]): number {
  return levelOrder[level] + free_bytes / (total_bytes + 1)
}

async function listInstances({
  db,
  disk,
  heartbeat,
}: Pick<SystemServices, 'db' | 'disk' | 'heartbeat'>): Promise<SystemStatus['instances']> {
  await heartbeat.beat()
  const here = await disk.read()
  const rows = await db.query
    .selectFrom('instances')
    .selectAll()
    .select(sql<boolean>`seen_at > now() - make_interval(secs => ${aliveSeconds})`.as('is_alive'))
    .orderBy(sql`id <> ${heartbeat.id}`)
    .orderBy('host')
    .orderBy('started_at')
    .execute()
  return rows.map((row) => {
    const is_this = row.id === heartbeat.id
    return { ...row, is_this, level: is_this ? here.level : getSpaceLevel(row) }
  })
}

/**
 * Reads the installation id, which every start writes. Returns false if the storage is down, has lost its bucket or
 * folder, refuses the credentials or times out.
 */
export async function isStorageReachable(
  storage: Pick<Storage, 'readInstallationId'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<boolean> {
  const asked = storage.readInstallationId().then(
    (id) => {
      if (id === null) log.warn({}, 'the file storage has lost its bucket or folder')
      return id !== null
    },
    (error: unknown) => {
      log.warn({ err: error }, 'the file storage is unreachable')
      return false
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), reachableMs)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

async function readDatabase(db: Database) {
  const { rows } = await sql<{ version: string; byte_size: number }>`
    select current_setting('server_version') as version,
           pg_database_size(current_database()) as byte_size`.execute(db.query)
  return rows[0]!
}

export async function findLastBackup(db: Database): Promise<SystemStatus['last_backup']> {
  const newest = await db.query
    .selectFrom('backups')
    .select(['created_at', 'byte_size', 'object_count', 'missing_count'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest ?? null
}

function groupByJob(counts: JobCount[]): SystemStatus['queue'] {
  return jobNames.map((job) => {
    const of = (state: JobCount['state']) =>
      counts.find((count) => count.job === job && count.state === state)?.count ?? 0
    return {
      job,
      ready: of('ready'),
      deferred: of('deferred'),
      active: of('active'),
      failed: of('failed'),
    }
  })
}

export async function retryFailedJobs(
  ctx: MemberContext,
  jobs: PlatformServices['jobs'],
): Promise<{ count: number }> {
  return { count: await requeueJobs(ctx, jobs, null) }
}

export async function retryFailedJob(
  ctx: MemberContext,
  jobs: PlatformServices['jobs'],
  id: string,
): Promise<void> {
  await requeueJobs(ctx, jobs, id)
}

async function requeueJobs(
  ctx: MemberContext,
  jobs: PlatformServices['jobs'],
  id: string | null,
): Promise<number> {
  return transaction(ctx.db, async (trx) => {
    const retried = await requeueFailedJobs(trx, jobs, id)
    if (id !== null && retried.length === 0) throw new AppError('job_not_found')
    for (const job of retried) {
      await writeAudit(ctx, trx, {
        action: 'retry',
        entity: 'job',
        entity_id: job.id,
        before: toAuditValues(job),
      })
    }
    return retried.length
  })
}

export async function repairFiles(
  ctx: MemberContext,
  jobs: PlatformServices['jobs'],
): Promise<{ count: number }> {
  return transaction(ctx.db, async (trx) => {
    const count = await enqueueRepairs(trx, jobs)
    await writeAudit(ctx, trx, {
      action: 'retry',
      entity: 'job',
      after: { job: 'repair-files', files: count },
    })
    return { count }
  })
}

export async function discardFailedJob(ctx: MemberContext, id: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const [discarded] = await deleteFailedJob(trx, id)
    if (!discarded) throw new AppError('job_not_found')
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'job',
      entity_id: id,
      before: toAuditValues(discarded),
    })
  })
}

/** The values of a job for its audit entry. Never the complete payload, which may contain an email. */
function toAuditValues({ name, data }: { name: string; data: unknown }) {
  const hasTrack = typeof data === 'object' && data !== null && 'track_id' in data
  return { job: name, ...(hasTrack && { track_id: data.track_id }) }
}
