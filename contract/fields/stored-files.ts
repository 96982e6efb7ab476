// Problems with stored audio and picture files.
import * as z from 'zod/mini'
import { timestamp } from './dates.ts'

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
  title: z
    .nullable(z.string())
    .check(
      z.describe(
        "Title of the track, playlist or category that the file belongs to. Null for a person's picture or the logo.",
      ),
    ),
  can_repair: z
    .boolean()
    .check(
      z.describe(
        'Whether it can be regenerated: audio from the source, a picture from another size of it.',
      ),
    ),
})
export type DamagedFile = z.infer<typeof damagedFile>

/** Maximum number of damaged files in one response. */
export const maxDamagedFiles = 100

export const fileCheckStatus = z.object({
  last_check: z
    .nullable(
      z.object({
        started_at: timestamp,
        finished_at: z
          .nullable(timestamp)
          .check(z.describe('Null if the check is still running or was aborted.')),
        checked_count: z.number(),
        orphan_count: z
          .number()
          .check(z.describe('Stored objects that no database row references.')),
      }),
    )
    .check(z.describe('Null if never checked.')),
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
