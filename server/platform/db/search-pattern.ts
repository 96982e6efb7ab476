// Turns a typed search text into `like` patterns.
import { sql } from 'kysely'

/** A pattern that matches the text anywhere in lower-case text. `%`, `_` and `\` in the text are literal. */
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

/** The rank of a match in the folded fields: 4 if it equals the title, down to 0. See the SQL function. */
export function matchRank(column: FoldedColumn, q: string) {
  return sql<number>`search_rank(${sql.ref(column)}, fold_text(btrim(${q})))`
}
