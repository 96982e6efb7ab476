// Formats a track's tags for a playlist row.

const shownTags = 2

/** The first two, or null when there is none. */
export function firstTags(tags: readonly string[]): string | null {
  return tags.slice(0, shownTags).join(', ') || null
}
