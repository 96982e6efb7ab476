// Computes a royalty statement exactly, in whole cents, so that the shares add up to the payments.

/** A member's payments in the month, minus refunds. */
export interface NetCash {
  user_id: string
  cents: number
}

/** The time for which a member played an artist's tracks. */
export interface ListeningTime {
  user_id: string
  artist_id: string
  seconds: number
}

export interface ArtistShare {
  artist_id: string
  seconds: number
  listeners: number
  cents: number
}

export interface Split {
  net_cents: number
  /** The payments of members who played nothing, minus refunds that exceed a member's payments. */
  owner_cents: number
  artists: ArtistShare[]
}

/**
 * Splits each member's payments among the artists that this member played (user-centric). No artist's share is
 * negative.
 */
export function splitRoyalties(
  nets: readonly NetCash[],
  listeningTimes: readonly ListeningTime[],
): Split {
  const ofMember = Map.groupBy(listeningTimes, ({ user_id }) => user_id)
  const shares = new Map<string, ArtistShare>()
  let netCents = 0
  let ownerCents = 0
  for (const { user_id, cents } of nets) {
    netCents += cents
    const artists = (ofMember.get(user_id) ?? []).filter(({ seconds }) => weightOf(seconds) > 0n)
    if (cents <= 0 || artists.length === 0) {
      ownerCents += cents
      continue
    }
    const parts = splitCents(
      cents,
      artists.map(({ seconds }) => weightOf(seconds)),
    )
    for (const [index, { artist_id, seconds }] of artists.entries()) {
      const share = shares.get(artist_id) ?? { artist_id, seconds: 0, listeners: 0, cents: 0 }
      share.seconds += seconds
      share.listeners += 1
      share.cents += parts[index] ?? 0
      shares.set(artist_id, share)
    }
  }
  return { net_cents: netCents, owner_cents: ownerCents, artists: [...shares.values()] }
}

/** Returns a listening time in whole milliseconds, as the weight of an artist. */
function weightOf(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1000))
}

/**
 * Splits an amount in proportion to the weights, which must not all be zero. Cents left over by rounding go to the
 * parts with the largest fractions; on a tie, to the first part.
 */
export function splitCents(cents: number, weights: readonly bigint[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  const products = weights.map((weight) => BigInt(cents) * weight)
  const parts = products.map((product) => Number(product / total))
  const left = cents - parts.reduce((sum, part) => sum + part, 0)
  const byFraction = products
    .map((product, index) => ({ index, fraction: product % total }))
    .toSorted((a, b) => Number(b.fraction > a.fraction) - Number(b.fraction < a.fraction))
  for (const { index } of byFraction.slice(0, left)) parts[index]! += 1
  return parts
}
