// What somebody typed into a search, for `like`.
import { sql } from 'kysely'

/** A pattern for lower-case text that matches it anywhere; its own `%`, `_` and `\` mean themselves. */
export function searchPattern(q: string): string {
  return `%${q
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
}

type FoldedColumn = `${string}search_folded`

/** Matches a folded column that contains the text. Ignores case and accents. */
export function matchesFolded(column: FoldedColumn, q: string) {
  return sql<boolean>`${sql.ref(column)} like search_pattern(${q})`
}

/** How well the folded fields match, from 4 (the title is it) to 0; see the SQL function. */
export function matchRank(column: FoldedColumn, q: string) {
  return sql<number>`search_rank(${sql.ref(column)}, fold_text(btrim(${q})))`
}
