// The arithmetic of a royalty statement, in whole cents and exact: the shares add up to what was paid.

/** What a member paid in the month, less refunds. */
export interface NetCash {
  user_id: string
  cents: number
}

/** What a member heard of an artist. */
export interface Heard {
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
  /** Of members who heard nothing, or got back more than they paid. */
  owner_cents: number
  artists: ArtistShare[]
}

/** Splits the money of each member by what this member heard: user-centric, and no artist gives anything back. */
export function splitRoyalties(nets: readonly NetCash[], heard: readonly Heard[]): Split {
  const ofMember = Map.groupBy(heard, ({ user_id }) => user_id)
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

/** Milliseconds. */
function weightOf(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1000))
}

/**
 * Splits an amount in proportion to the weights, which are not all zero. What rounding leaves goes to the largest
 * fractions, at equal ones to the first.
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
