// Formats a track's tags for a playlist row.

const shownTags = 2

/** Returns the first two tags, or null if there are none. */
export function formatFirstTags(tags: readonly string[]): string | null {
  return tags.slice(0, shownTags).join(', ') || null
}

/** Returns who added a track, such as 'Added by Ben'. Null if that account has been deleted. */
export function formatAdder(name: string | null): string | null {
  return name === null ? null : `Added by ${name || 'a member'}`
}
