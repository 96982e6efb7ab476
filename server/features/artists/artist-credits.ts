// Computes the credits of tracks after artists are merged or split. The rows must be sorted by track and position.
import { lineRoles } from '#contract/fields/artist-credits.ts'
import type { CreditRow } from './artist-rows.ts'

/** Credits the artist `to` instead of each artist in `from`. */
export function moveCredits(
  credits: readonly CreditRow[],
  from: ReadonlySet<string>,
  to: string,
): CreditRow[] {
  const moved: CreditRow[] = []
  for (const credit of credits) {
    const isMoved = from.has(credit.artist_id)
    const row = isMoved ? { ...credit, artist_id: to } : { ...credit }
    const isTwice = moved.some((other) => other.track_id === row.track_id && isSame(other, row))
    if (!isTwice) moved.push(row)
    else if (isOfLine(row)) moveJoiner(moved, row)
  }
  return moved
}

/**
 * Whether two credits are duplicates: an artist appears at most once in the artist line, and at most once per other
 * role.
 */
function isSame(one: CreditRow, other: CreditRow): boolean {
  if (one.artist_id !== other.artist_id) return false
  return one.role === other.role || (isOfLine(one) && isOfLine(other))
}

function isOfLine({ role }: CreditRow): boolean {
  return lineRoles.includes(role)
}

/**
 * Moves the joiner (the text after a name) when a credit is removed. Removing B from `A & B feat. C` leaves `A feat.
 * C`: A gets B's joiner.
 */
function moveJoiner(kept: CreditRow[], dropped: CreditRow): void {
  const before = kept.findLast((row) => row.track_id === dropped.track_id && isOfLine(row))
  if (before && dropped.joiner) before.joiner = dropped.joiner
}
