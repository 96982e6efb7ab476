// What a row of a playlist says of a track's tags.

const shownTags = 2

/** The first two, or null when there is none. */
export function firstTags(tags: readonly string[]): string | null {
  return tags.slice(0, shownTags).join(', ') || null
}
