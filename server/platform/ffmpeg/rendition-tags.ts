// The tags in every rendition, including the AI disclosure. All other tags of the source are dropped.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { TrackRow } from '../db/tables.ts'

/** The columns of a track that are written into its files as tags. */
export const taggedFields = [
  'title',
  'artist',
  'genre',
  'ai_disclosure',
  'ai_tool',
  'credits',
] as const
export type TaggedField = (typeof taggedFields)[number]

/** The tags contain no other columns, so a file is outdated only if one of these has changed. */
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

/** Returns ffmpeg's arguments for the tags of one output file. */
export function buildTagArguments(tags: RenditionTags): string[] {
  const { title, artist, genre } = tags
  const written = { title, artist, genre, comment: formatDisclosure(tags) }
  return Object.entries(written).flatMap(([key, value]) =>
    // Removes NUL characters, because Node refuses to start a process with one in an argument.
    value ? ['-metadata', `${key}=${value.replaceAll('\0', '')}`] : [],
  )
}
