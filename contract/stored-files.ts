// What may be wrong with stored audio and pictures.
import * as z from 'zod/mini'

export const fileProblems = ['missing', 'wrong_size', 'wrong_bytes'] as const
export type FileProblem = (typeof fileProblems)[number]

const fileKinds = ['source', 'standard', 'high', 'preview', 'cover', 'avatar'] as const
export type FileKind = (typeof fileKinds)[number]

export const damagedFile = z.object({
  storage_key: z.string(),
  problem: z.enum(fileProblems),
  kind: z.enum(fileKinds),
  track_id: z.nullable(z.uuid()),
  /** Of the track, playlist or category that it belongs to. Null: a person's picture. */
  title: z.nullable(z.string()),
  /** It can be made again from the source, or a picture from another size of it. */
  can_repair: z.boolean(),
})
export type DamagedFile = z.infer<typeof damagedFile>

/** The damaged files that one answer lists. */
export const damagedFilesListed = 100

export const fileCheckStatus = z.object({
  /** Null: there was none yet. */
  last_check: z.nullable(
    z.object({
      started_at: z.string(),
      /** Null: it is under way, or was broken off. */
      finished_at: z.nullable(z.string()),
      checked_count: z.number(),
      /** Stored objects that no row names. */
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
