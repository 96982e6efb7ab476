// Formats a track's tags for a playlist row.

const shownTags = 2

/** The first two, or null when there is none. */
export function firstTags(tags: readonly string[]): string | null {
  return tags.slice(0, shownTags).join(', ') || null
}

/** 'Added by Ben' in a playlist that is shared; null if that account is gone. */
export function adderFacet(name: string | null): string | null {
  return name === null ? null : `Added by ${name || 'a member'}`
}
