// What somebody typed into a search, as a pattern for `like` on lower-case text.

/** Matches it anywhere; its own `%`, `_` and `\` mean themselves. */
export function searchPattern(q: string): string {
  return `%${q
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
}
