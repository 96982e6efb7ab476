// Texts that a page's head, its share card and the feeds use.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { PageFacts } from './page-facts.ts'

const descriptionMax = 200

/** A title with the artist, for example `Dusk by Ida Sorrel`. */
export function titleWithArtist({ title, artist }: Pick<PageFacts, 'title' | 'artist'>): string {
  return artist ? `${title} by ${artist}` : title
}

/**
 * The description for search engines and link previews. It starts with the AI disclosure, because link previews cut off
 * the end.
 */
export function describePage(facts: PageFacts): string {
  const { label, artist, tracks, more, ai_disclosure } = facts
  const count = tracks.length + more
  const made = ai_disclosure === 'human' ? [] : [aiDisclosureLabels[ai_disclosure]]
  const extent =
    facts.kind === 'track'
      ? formatDuration(tracks[0]?.duration ?? 0)
      : `${count} ${count === 1 ? 'track' : 'tracks'}`
  const first = [artist ? `${label} by ${artist}` : label, extent, ...made].join(' · ')
  const text = facts.description?.replaceAll(/\s+/g, ' ').trim()
  return truncate(text ? `${first}. ${text}` : `${first}.`, descriptionMax)
}

export function truncate(text: string, max: number): string {
  const letters = [...text]
  return letters.length <= max
    ? text
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** A duration such as `3:05` or `1:02:09`. */
export function formatDuration(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** A duration in ISO 8601, as schema.org and podcasts require. */
export function isoDuration(seconds: number): string {
  return `PT${Math.floor(seconds / 60)}M${seconds % 60}S`
}
