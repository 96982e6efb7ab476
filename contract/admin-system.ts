// How this installation is: its instances, room on the disks, queue, database, and what is switched on.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** `low`: below 10 % or 2 GB free. `full`: below 2 % or 500 MB, and files are refused. */
export const spaceLevels = ['ok', 'low', 'full'] as const
export type SpaceLevel = (typeof spaceLevels)[number]

const space = {
  free_bytes: z.number(),
  /** Without what the system keeps for itself. */
  total_bytes: z.number(),
  level: z.enum(spaceLevels),
}

const instance = z.object({
  id: z.uuid(),
  /** The name of its machine. */
  host: z.string(),
  role: z.enum(['web', 'worker', 'all']),
  version: z.string(),
  started_at: z.string(),
  seen_at: z.string(),
  /** It has told within the last half minute that it is there. */
  is_alive: z.boolean(),
  /** The one that answered. */
  is_this: z.boolean(),
  ...space,
})
export type Instance = z.infer<typeof instance>

const failedJob = z.object({
  id: z.uuid(),
  job: z.string(),
  /** What it was for: the title of a track. Null: for no track, or one that is gone. */
  track_title: z.nullable(z.string()),
  error: z.string(),
  /** The end of what the tool said; empty: nothing. */
  tool_log: z.string(),
  tries: z.number(),
  failed_at: z.string(),
})
export type FailedJob = z.infer<typeof failedJob>

/** The newest failed jobs that one answer lists. */
export const failedJobsListed = 100

export const systemStatus = z.object({
  /** The answering one first. */
  instances: z.array(instance),
  storage: z.object({
    kind: z.enum(['disk', 's3']),
    /** Null: files below the data folder. */
    bucket: z.nullable(z.string()),
    is_reachable: z.boolean(),
  }),
  database: z.object({
    version: z.string(),
    byte_size: z.number(),
    /** Brought along by this server, not an own one. */
    is_embedded: z.boolean(),
  }),
  /** As of a few seconds ago. */
  queue: z.array(
    z.object({
      job: z.string(),
      ready: z.number(),
      deferred: z.number(),
      active: z.number(),
      failed: z.number(),
    }),
  ),
  failed_jobs: z.object({ total: z.number(), data: z.array(failedJob) }),
  last_backup: z.nullable(
    z.object({ created_at: z.string(), byte_size: z.number(), object_count: z.number() }),
  ),
  /** `wasm`: the one brought along, 15 to 40 times slower. */
  ffmpeg: z.object({ backend: z.enum(['native', 'wasm']), version: z.string() }),
  mail: z.enum(['smtp', 'outbox']),
  stripe: z.boolean(),
})
export type SystemStatus = z.infer<typeof systemStatus>

export const getSystem = endpoint({
  method: 'GET',
  path: '/api/admin-system',
  summary:
    'How the service is: instances, disk, storage, database, queue, failed jobs, last backup.',
  access: 'admin',
  output: systemStatus,
})

export const getDiskSpace = endpoint({
  method: 'GET',
  path: '/api/admin-system/disk',
  summary: 'The fullest disk of all instances.',
  access: 'admin',
  output: z.object({ host: z.string(), ...space }),
})

const params = z.object({ id: z.uuid() })

export const retryFailedJob = endpoint({
  method: 'POST',
  path: '/api/admin-system/failed-jobs/:id/retry',
  summary: 'Put a failed job into the queue again.',
  access: 'admin',
  params,
  errors: ['job_not_found'],
})

export const retryFailedJobs = endpoint({
  method: 'POST',
  path: '/api/admin-system/failed-jobs/retry',
  summary: 'Put all failed jobs into the queue again.',
  access: 'admin',
  output: z.object({ count: z.number() }),
})

export const discardFailedJob = endpoint({
  method: 'DELETE',
  path: '/api/admin-system/failed-jobs/:id',
  summary: 'Forget a failed job.',
  access: 'admin',
  params,
  errors: ['job_not_found'],
})
