// The kinds of background jobs: their payloads, their retry policy, and which jobs don't run concurrently.
import * as z from 'zod/mini'

/** The payload of every kind of job. */
export const payloads = {
  /** Creates all files of a track from its uploaded source. */
  'process-track': z.object({ track_id: z.uuid() }),
  /** Cuts the preview again after the preview length has changed. */
  'cut-preview': z.object({ track_id: z.uuid() }),
  /** Enqueues `cut-preview` for every track whose preview length differs from the setting. */
  'cut-stale-previews': z.object({}),
  /** Writes the current title, artist and AI disclosure into the existing renditions. */
  'retag-track': z.object({ track_id: z.uuid() }),
  /** Creates the pictures and the video of a link preview. */
  'make-card': z.object({
    kind: z.enum(['track', 'release', 'artist', 'playlist', 'category']),
    item_id: z.uuid(),
  }),
  /** Measures the sound of tracks that this version has not measured yet. */
  'measure-sounds': z.object({}),
  /** Computes the similar tracks of tracks that have changed. */
  'update-neighbours': z.object({}),
  /** Compares all stored files with the database, slowly enough not to disturb other work. */
  'check-files': z.object({}),
  /** Recreates damaged picture files from the other sizes of the same picture. */
  'repair-pictures': z.object({}),
  /** Continues waiting imports, one after the other. */
  'run-imports': z.object({}),
  /** Writes a backup to BACKUP_TO. */
  'make-backup': z.object({}),
  /** Encodes the recording of a spot. `item_id` is the spot's id. */
  'process-spot': z.object({ item_id: z.uuid() }),
  /** Sends due webhook deliveries. */
  'deliver-webhooks': z.object({}),
  /** Sends due notifications to browsers. */
  'send-pushes': z.object({}),
  /** Reads the mailbox that receives bounces. */
  'read-bounces': z.object({}),
  /** Sends an email through the mail server. */
  'send-mail': z.object({
    sealed_mail: z.string(),
    expires_at: z.iso.datetime(),
    tracked_mail_id: z.optional(z.uuid()),
  }),
} as const

export type JobName = keyof typeof payloads
export type JobPayload<N extends JobName> = z.infer<(typeof payloads)[N]>

export type JobHandler<Payload> = (
  payload: Payload,
  job: { signal: AbortSignal; isLastAttempt: boolean },
) => Promise<void>

export type JobHandlers = { [N in JobName]: JobHandler<JobPayload<N>> }

export const jobNames = Object.keys(payloads) as JobName[]
/** More retries than a failing tool needs, because crashes of the server use up retries too. */
const retryPolicy = { retryLimit: 12, retryDelay: 2, retryDelayMax: 60 }
/** The retries span almost an hour, so that an email survives an outage of the mail server. */
const mailRetryPolicy = { retryLimit: 16, retryDelay: 1, retryDelayMax: 300 }
export const getRetryPolicy = (name: JobName) =>
  name === 'send-mail' ? mailRetryPolicy : retryPolicy
/** Jobs that write no files. All other kinds are deferred while the disk is full. */
const writesNone: JobName[] = [
  'send-mail',
  'deliver-webhooks',
  'send-pushes',
  'read-bounces',
  'cut-stale-previews',
  'measure-sounds',
  'update-neighbours',
  'check-files',
  'make-backup',
]
export const writesFiles = (name: JobName) => !writesNone.includes(name)

/**
 * Returns the singleton key: at most one job per kind and track or item. Emails have no key, so they never exclude
 * each other.
 */
export function getSingletonKey(name: string, payload: unknown): { singletonKey?: string } {
  if (name === 'send-mail') return {}
  const { track_id, item_id } = payload as { track_id?: string; item_id?: string }
  return { singletonKey: track_id ?? item_id ?? name }
}
