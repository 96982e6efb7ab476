// The kinds of background work: what each takes, how patiently it is tried again, and which of them exclude each other.
import * as z from 'zod/mini'

/** Every kind of job, with the payload it takes. */
export const payloads = {
  /** Makes everything that a track needs from its uploaded source. */
  'process-track': z.object({ track_id: z.uuid() }),
  /** Cuts the preview again, after the preview length changed. */
  'cut-preview': z.object({ track_id: z.uuid() }),
  /** Enqueues `cut-preview` for every track whose preview has another length than the setting. */
  'cut-stale-previews': z.object({}),
  /** Writes title, artist and AI mark into the existing renditions again. */
  'retag-track': z.object({ track_id: z.uuid() }),
  /** Compares all stored files with the database, slowly. */
  'check-files': z.object({}),
  /** Makes damaged files of pictures from their other sizes. */
  'repair-pictures': z.object({}),
  /** Makes a backup in BACKUP_TO. */
  'make-backup': z.object({}),
  /** Hands a mail over to the mail server. */
  'send-mail': z.object({ sealed_mail: z.string(), expires_at: z.iso.datetime() }),
} as const

export type JobName = keyof typeof payloads
export type JobPayload<N extends JobName> = z.infer<(typeof payloads)[N]>

export type JobHandler<Payload> = (
  payload: Payload,
  job: { signal: AbortSignal; isLastTry: boolean },
) => Promise<void>

export type JobHandlers = { [N in JobName]: JobHandler<JobPayload<N>> }

export const jobNames = Object.keys(payloads) as JobName[]
/** Stops and kills use up tries too, so there are more of them than a failing tool needs. */
const patience = { retryLimit: 12, retryDelay: 2, retryDelayMax: 60 }
/** A mail server may be away for the better part of an hour. */
const mailPatience = { retryLimit: 16, retryDelay: 1, retryDelayMax: 300 }
export const patienceOf = (name: JobName) => (name === 'send-mail' ? mailPatience : patience)
/** Such a job waits while the disk is full. */
const writesNone: JobName[] = ['send-mail', 'cut-stale-previews', 'check-files', 'make-backup']
export const writesFiles = (name: JobName) => !writesNone.includes(name)

/** One job per track and kind; mails stand each for itself. */
export function keyOf(name: string, payload: unknown): { singletonKey?: string } {
  if (name === 'send-mail') return {}
  const hasTrack = typeof payload === 'object' && payload !== null && 'track_id' in payload
  return { singletonKey: hasTrack ? String(payload.track_id) : name }
}
