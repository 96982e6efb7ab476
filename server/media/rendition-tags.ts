// The few tags that every rendition carries; all others of the source are dropped. They keep the
// honest word on how the music was made with the file, wherever it goes.
import { aiDisclosureLabels, type AiDisclosure } from '#contract/ai-disclosure.ts'

/** Named like the columns of a track, so that a row fits. */
export type RenditionTags = {
  title: string
  artist: string
  album?: string | null
  genre?: string | null
  ai_disclosure: AiDisclosure
  ai_tool?: string | null
  credits?: string | null
}

/** One line, such as `AI disclosure: AI-generated (Suno 5). Credits: Mira Holt` */
export function disclosureText(
  tags: Pick<RenditionTags, 'ai_disclosure' | 'ai_tool' | 'credits'>,
): string {
  const madeWith = tags.ai_tool ? ` (${tags.ai_tool})` : ''
  const thanks = tags.credits ? `. Credits: ${tags.credits}` : ''
  return `AI disclosure: ${aiDisclosureLabels[tags.ai_disclosure]}${madeWith}${thanks}`
}

/** ffmpeg's arguments for one output. */
export function tagArguments(tags: RenditionTags): string[] {
  const { title, artist, album, genre } = tags
  const written = { title, artist, album, genre, comment: disclosureText(tags) }
  return Object.entries(written).flatMap(([key, value]) =>
    // A NUL ends an argument early, so Node refuses to start a process with one.
    value ? ['-metadata', `${key}=${value.replaceAll('\0', '')}`] : [],
  )
}
