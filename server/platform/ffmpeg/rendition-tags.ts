// The tags of every rendition; all other tags of the source are dropped. A downloaded file keeps its AI disclosure in
// them.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { TrackRow } from '../db/tables.ts'

/** The columns of a track that are written into its files. */
export const taggedFields = [
  'title',
  'artist',
  'genre',
  'ai_disclosure',
  'ai_tool',
  'credits',
] as const
export type TaggedField = (typeof taggedFields)[number]

/** No other values are written, so a change of these columns is enough to detect outdated files. */
export type RenditionTags = Pick<TrackRow, 'title' | 'artist' | 'ai_disclosure'> &
  Partial<Pick<TrackRow, TaggedField>>

/** One line, such as `AI disclosure: AI-generated (Suno 5). Credits: Mira Holt` */
export function formatDisclosure(
  tags: Pick<RenditionTags, 'ai_disclosure' | 'ai_tool' | 'credits'>,
): string {
  const madeWith = tags.ai_tool ? ` (${tags.ai_tool})` : ''
  const creditText = tags.credits ? `. Credits: ${tags.credits}` : ''
  return `AI disclosure: ${aiDisclosureLabels[tags.ai_disclosure]}${madeWith}${creditText}`
}

/** ffmpeg's arguments for one output. */
export function buildTagArguments(tags: RenditionTags): string[] {
  const { title, artist, genre } = tags
  const written = { title, artist, genre, comment: formatDisclosure(tags) }
  return Object.entries(written).flatMap(([key, value]) =>
    // Node refuses to start a process with a NUL in an argument.
    value ? ['-metadata', `${key}=${value.replaceAll('\0', '')}`] : [],
  )
}
