// Selects and orders the tracks of a radio station, which is a list of tracks similar to a seed track. Sorting by score
// alone would put an artist's tracks together and change the tempo often.
import { keySteps, tempoOctaves } from './sound-distance.ts'
import { getPieceKey } from './track-words.ts'

export interface Candidate {
  id: string
  title: string
  artist: string
  /** Similarity to the seed track, 0 to 1. */
  score: number
  tempo: number | null
  key: number | null
  is_minor: boolean | null
}

type Sound = Pick<Candidate, 'tempo' | 'key' | 'is_minor'>

/** The score is multiplied by this for each track by the same artist that was already selected. */
const artistDiscount = 0.85
const maxConsecutive = 2
/** Tempo changes of up to 8 % are barely noticeable and are not penalized. */
const toleratedTempoOctaves = Math.log2(1.08)
const tempoCost = 1.5
const keyCost = 0.03

/**
 * Returns the tracks of a station. At most two consecutive tracks are by one artist (counting the tracks in `before`),
 * unless all are by one artist. Only one recording of each piece is used. Tempo and key change little between tracks.
 */
export function arrangeStation(
  candidates: readonly Candidate[],
  options: { limit: number; before?: readonly string[]; seedSound?: Sound },
): Candidate[] {
  const chosen = choose(candidates, options.limit)
  const isOneArtist = new Set(chosen.map(({ artist }) => artist)).size === 1
  const artists = [...(options.before ?? [])]
  const ordered: Candidate[] = []
  let last: Sound = options.seedSound ?? { tempo: null, key: null, is_minor: null }
  while (chosen.length > 0) {
    const blocked = isOneArtist ? undefined : findRepeatedArtist(artists)
    const next = chooseNext(chosen, last, blocked)
    if (next === undefined) return ordered
    chosen.splice(chosen.indexOf(next), 1)
    ordered.push(next)
    artists.push(next.artist)
    last = next
  }
  return ordered
}

function findRepeatedArtist(artists: readonly string[]): string | undefined {
  const last = artists.slice(-maxConsecutive)
  return last.length === maxConsecutive && last.every((artist) => artist === last[0])
    ? last[0]
    : undefined
}

/** Selects candidates by score. The score is reduced for artists that were already selected. */
function choose(candidates: readonly Candidate[], limit: number): Candidate[] {
  const left = candidates.toSorted((a, b) => b.score - a.score)
  const pieces = new Set<string>()
  const counts = new Map<string, number>()
  const chosen: Candidate[] = []
  while (chosen.length < limit && left.length > 0) {
    let best = 0
    let bestValue = -1
    for (const [at, { artist, score }] of left.entries()) {
      // Candidates are sorted by score, so no later one can be better.
      if (score <= bestValue) break
      const value = score * artistDiscount ** (counts.get(artist) ?? 0)
      if (value > bestValue) [best, bestValue] = [at, value]
    }
    const [candidate] = left.splice(best, 1)
    if (!candidate) break
    const piece = getPieceKey(candidate.artist, candidate.title)
    if (pieces.has(piece)) continue
    pieces.add(piece)
    counts.set(candidate.artist, (counts.get(candidate.artist) ?? 0) + 1)
    chosen.push(candidate)
  }
  return chosen
}

/** Selects the track with the smallest change. Undefined if only tracks by the blocked artist are left. */
function chooseNext(
  left: readonly Candidate[],
  last: Sound,
  blocked: string | undefined,
): Candidate | undefined {
  const due = findDueArtist(left)
  const allowed = left.filter(
    ({ artist }) => artist !== blocked && (due === undefined || due === blocked || artist === due),
  )
  let best: Candidate | undefined
  let bestCost = Infinity
  for (const candidate of allowed) {
    const cost = 1 - candidate.score + changeCost(last, candidate)
    if (cost < bestCost) [best, bestCost] = [candidate, cost]
  }
  return best
}

/**
 * Returns the artist whose track must be next: there are just enough tracks by others left to separate this artist's
 * tracks.
 */
function findDueArtist(left: readonly Candidate[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { artist } of left) counts.set(artist, (counts.get(artist) ?? 0) + 1)
  for (const [artist, count] of counts) {
    if (count > maxConsecutive * (left.length - count)) return artist
  }
  return undefined
}

function changeCost(from: Sound, to: Sound): number {
  let cost = 0
  if (from.tempo !== null && to.tempo !== null) {
    cost += tempoCost * Math.max(0, tempoOctaves(from.tempo, to.tempo) - toleratedTempoOctaves)
  }
  if (from.key !== null && to.key !== null) {
    const steps = keySteps(
      { key: from.key, isMinor: from.is_minor ?? false },
      { key: to.key, isMinor: to.is_minor ?? false },
    )
    cost += keyCost * Math.max(0, steps - 1)
  }
  return cost
}
