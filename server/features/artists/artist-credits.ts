// What a merge and a split make of the credits of tracks. Rows are in the order of tracks and positions.
import { lineRoles } from '#contract/fields/artist-credits.ts'
import type { CreditRow } from './artist-rows.ts'

/** Names `to` wherever one of `from` was. */
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
    else if (isOfLine(row)) passJoiner(moved, row)
  }
  return moved
}

/** One artist is in the line once, and in each other role once. */
function isSame(one: CreditRow, other: CreditRow): boolean {
  if (one.artist_id !== other.artist_id) return false
  return one.role === other.role || (isOfLine(one) && isOfLine(other))
}

function isOfLine({ role }: CreditRow): boolean {
  return lineRoles.includes(role)
}

/** `A & B feat. C`, with B dropped: A is followed by ` feat. `. */
function passJoiner(kept: CreditRow[], dropped: CreditRow): void {
  const before = kept.findLast((row) => row.track_id === dropped.track_id && isOfLine(row))
  if (before && dropped.joiner) before.joiner = dropped.joiner
}
