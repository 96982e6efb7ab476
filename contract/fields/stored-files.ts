// Problems of stored audio and pictures.
import * as z from 'zod/mini'

export const fileProblems = ['missing', 'wrong_size', 'wrong_bytes'] as const
export type FileProblem = (typeof fileProblems)[number]

const fileKinds = [
  'source',
  'standard',
  'high',
  'preview',
  'cover',
  'avatar',
  'evidence',
  'branding',
] as const
export type FileKind = (typeof fileKinds)[number]

export const damagedFile = z.object({
  storage_key: z.string(),
  problem: z.enum(fileProblems),
  kind: z.enum(fileKinds),
  track_id: z.nullable(z.uuid()),
  /** Title of the track, playlist or category it belongs to. Null: a person's picture, or the logo. */
  title: z.nullable(z.string()),
  /** It can be regenerated from the source, or a picture from another size of it. */
  can_repair: z.boolean(),
})
export type DamagedFile = z.infer<typeof damagedFile>

/** Maximum number of damaged files in one response. */
export const damagedFilesListed = 100

export const fileCheckStatus = z.object({
  /** Null: never checked. */
  last_check: z.nullable(
    z.object({
      started_at: z.string(),
      /** Null: still running, or aborted. */
      finished_at: z.nullable(z.string()),
      checked_count: z.number(),
      /** Stored objects that no row references. */
      orphan_count: z.number(),
    }),
  ),
  damaged: z.object({
    total: z.number(),
    repairable: z.number(),
    missing: z.number(),
    wrong_size: z.number(),
    wrong_bytes: z.number(),
    data: z.array(damagedFile),
  }),
})
export type FileCheckStatus = z.infer<typeof fileCheckStatus>
