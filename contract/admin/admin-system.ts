// The state of this installation: instances, disk space, queue, database, and enabled services.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { fileCheckStatus } from '../fields/stored-files.ts'
import { hour } from '../rate-limit.ts'

/** `low`: below 10 % or 2 GB free. `full`: below 2 % or 500 MB, and uploads are refused. */
export const spaceLevels = ['ok', 'low', 'full'] as const
export type SpaceLevel = (typeof spaceLevels)[number]

const space = {
  folder: z
    .string()
    .check(
      z.describe(
        'The folder in use whose disk has the least free space. Empty for the data folder itself.',
      ),
    ),
  free_bytes: z.number(),
  total_bytes: z.number().check(z.describe('Excludes space reserved by the operating system.')),
  level: z.enum(spaceLevels),
}

const instance = z.object({
  id: z.uuid(),
  host: z.string().check(z.describe('The host name of the machine.')),
  role: z
    .enum(['web', 'worker', 'all'])
    .check(z.describe('Whether the instance serves requests, runs jobs, or both.')),
  version: z.string(),
  commit: z
    .nullable(z.string())
    .check(
      z.describe(
        'The first 12 digits. Null if unknown, for example in a copy without its Git repository.',
      ),
    ),
  started_at: timestamp,
  seen_at: timestamp,
  is_alive: z
    .boolean()
    .check(z.describe('Whether it sent a heartbeat within the last 30 seconds.')),
  is_this: z.boolean().check(z.describe('Whether this instance responded to the request.')),
  ...space,
})
export type Instance = z.infer<typeof instance>

const failedJob = z.object({
  id: z.uuid(),
  job: z.string(),
  track_title: z
    .nullable(z.string())
    .check(
      z.describe("The title of the job's track. Null if there is no track or it was deleted."),
    ),
  track_id: z.nullable(z.uuid()),
  error: z.string(),
  tool_log: z.string().check(z.describe("The end of the tool's output. Empty if there is none.")),
  tries: z.number(),
  failed_at: timestamp,
})
export type FailedJob = z.infer<typeof failedJob>

/** Maximum number of failed jobs in one response, newest first. */
export const maxFailedJobs = 100

const alert = z.object({
  name: z.string().check(z.describe('The name of the condition, such as `disk_low`.')),
  title: z.string().check(z.describe('A short lower-case title, such as `low disk space`.')),
  message: z.string().check(z.describe('What happened and, on the next line, what to do.')),
  began_at: timestamp,
})

const backupStatus = z.object({
  target: z
    .nullable(z.string())
    .check(
      z.describe(
        'The target of scheduled backups: a folder or s3://bucket/prefix. Null if there is none.',
      ),
    ),
  schedule: z
    .nullable(z.string())
    .check(z.describe('A cron expression. Null if backups are made only on demand.')),
  next_at: z.nullable(timestamp),
  is_encrypted: z.boolean(),
  last_good_at: z
    .nullable(timestamp)
    .check(z.describe('When the newest backup without missing files was made, at any location.')),
  is_overdue: z
    .boolean()
    .check(
      z.describe(
        "Whether the newest complete backup is older than two schedule intervals, or older than a week if there is no schedule. If there is no complete backup, whether the owner's music has existed for a week.",
      ),
    ),
  running: z.nullable(
    z.object({
      started_at: timestamp,
      files_done: z.number(),
      files_total: z.nullable(z.number()).check(z.describe('Null if not counted yet.')),
    }),
  ),
  last_run: z
    .nullable(
      z.object({
        finished_at: timestamp,
        result: z.enum(['complete', 'incomplete', 'failed']),
        error: z
          .nullable(z.string())
          .check(z.describe('The error message. Null if it did not fail.')),
      }),
    )
    .check(z.describe('The last finished backup to the target.')),
})
export type BackupStatus = z.infer<typeof backupStatus>

export const systemStatus = z.object({
  alerts: z.array(alert).check(z.describe('Active alerts, oldest first.')),
  instances: z.array(instance).check(z.describe('The instance that responded comes first.')),
  storage: z.object({
    kind: z.enum(['disk', 's3']),
    bucket: z
      .nullable(z.string())
      .check(z.describe('Null if files are stored in the data folder.')),
    is_reachable: z.boolean(),
  }),
  database: z.object({
    version: z.string(),
    byte_size: z.number(),
    is_embedded: z
      .boolean()
      .check(
        z.describe('Whether this server started the database. If false, it is an external one.'),
      ),
  }),
  queue: z
    .array(
      z.object({
        job: z.string(),
        ready: z.number(),
        deferred: z.number(),
        active: z.number(),
        failed: z.number(),
      }),
    )
    .check(z.describe('Up to a few seconds old.')),
  failed_jobs: z.object({ total: z.number(), data: z.array(failedJob) }),
  last_backup: z.nullable(
    z.object({
      created_at: timestamp,
      byte_size: z.number(),
      object_count: z.number(),
      missing_count: z
        .number()
        .check(
          z.describe(
            'Number of files referenced by the database that were missing from the storage. If there are any, the backup is incomplete.',
          ),
        ),
    }),
  ),
  files: fileCheckStatus,
  backup: backupStatus,
  ffmpeg: z
    .object({ backend: z.enum(['native', 'wasm']), version: z.string() })
    .check(z.describe('`wasm`: the bundled build, which is 15 to 40 times slower.')),
  mail: z.enum(['smtp', 'outbox']),
  stripe: z.boolean(),
})
export type SystemStatus = z.infer<typeof systemStatus>

export const getSystem = endpoint({
  method: 'GET',
  path: '/api/admin-system',
  summary:
    'The state of the service: instances, disk, storage, database, queue, failed jobs and last backup.',
  access: 'admin',
  output: systemStatus,
})

export const getDiskSpace = endpoint({
  method: 'GET',
  path: '/api/admin-system/disk',
  summary: 'The disk with the least free space across all instances.',
  access: 'admin',
  output: z.object({ host: z.string(), ...space }),
})

export const repairFiles = endpoint({
  method: 'POST',
  path: '/api/admin-system/files/repair',
  summary:
    "Regenerate damaged files where possible, for example renditions from the track's recording.",
  access: 'admin',
  audit: { job: ['retry'] },
  /** The number of failed jobs that were queued again. */
  output: z.object({ count: z.number() }),
})

export const startBackup = endpoint({
  method: 'POST',
  path: '/api/admin-system/backups',
  summary: 'Start a backup to the configured target.',
  access: 'admin',
  audit: { job: ['create'] },
  errors: ['backup_not_set_up', 'backup_running'],
})

const storedBackups = z.object({
  data: z
    .array(
      z.object({
        name: z.string(),
        created_at: z
          .nullable(timestamp)
          .check(z.describe('When the backup was made. Null if it is unreadable.')),
        byte_size: z
          .nullable(z.number())
          .check(
            z.describe(
              'The size before the rows are compressed and encrypted. A file shared by several backups counts in each of them.',
            ),
          ),
        state: z
          .enum(['complete', 'incomplete', 'unreadable'])
          .check(
            z.describe(
              '`incomplete`: files were missing from the storage when the backup was made.',
            ),
          ),
        is_encrypted: z.boolean(),
      }),
    )
    .check(z.describe('The backups, newest first.')),
  problem: z
    .nullable(z.string())
    .check(
      z.describe(
        'The reason why the backups cannot be listed, as a message. Null if they can be listed.',
      ),
    ),
})
export type StoredBackups = z.infer<typeof storedBackups>

export const listBackups = endpoint({
  method: 'GET',
  path: '/api/admin-system/backups',
  summary: 'The backups at the configured target.',
  access: 'admin',
  output: storedBackups,
})

/** The backup contains all data and the secret key from the data folder. */
export const downloadBackup = endpoint({
  method: 'GET',
  path: '/api/admin-system/backups/:name/file',
  summary:
    'Download a backup from the configured target as one file for `npm run restore`. The file is encrypted if the stored backup is. Limited to 20 downloads per hour.',
  access: 'admin',
  needsConfirmation: true,
  audit: { backup: ['export'] },
  params: z.object({ name: z.string().check(z.maxLength(100)) }),
  produces: 'application/octet-stream',
  rateLimit: { name: 'backup-file', per: 'account', count: 20, seconds: hour },
  errors: ['backup_not_set_up', 'backup_not_found', 'backup_unreadable'],
})

const params = z.object({ id: z.uuid() })

export const retryFailedJob = endpoint({
  method: 'POST',
  path: '/api/admin-system/failed-jobs/:id/retry',
  summary: 'Retry a failed job.',
  access: 'admin',
  audit: { job: ['retry'] },
  params,
  errors: ['job_not_found'],
})

export const retryFailedJobs = endpoint({
  method: 'POST',
  path: '/api/admin-system/failed-jobs/retry',
  summary: 'Retry all failed jobs.',
  access: 'admin',
  audit: { job: ['retry'] },
  output: z.object({ count: z.number() }),
})

export const discardFailedJob = endpoint({
  method: 'DELETE',
  path: '/api/admin-system/failed-jobs/:id',
  summary: 'Discard a failed job.',
  access: 'admin',
  audit: { job: ['delete'] },
  params,
  errors: ['job_not_found'],
})
