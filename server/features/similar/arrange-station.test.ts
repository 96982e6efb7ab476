import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeStation, type Candidate } from './arrange-station.ts'

const candidate = (id: number, artist: string, more: Partial<Candidate> = {}): Candidate => ({
  id: `${id}`,
  title: `Track ${id}`,
  artist,
  score: 0.5,
  tempo: null,
  key: null,
  is_minor: null,
  ...more,
})

const artistsOf = (tracks: readonly Candidate[]) => tracks.map(({ artist }) => artist)
const longestRun = (artists: readonly string[]) => {
  let longest = 0
  let run = 0
  for (const [at, artist] of artists.entries()) {
    run = artist === artists[at - 1] ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return longest
}

test('has at most two consecutive tracks by one artist, for random candidates', () => {
  const anyCandidates = fc.array(
    fc.record({
      artist: fc.constantFrom('A', 'B', 'C'),
      score: fc.double({ min: 0.01, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(
      anyCandidates,
      fc.array(fc.constantFrom('A', 'B'), { maxLength: 3 }),
      (drawn, before) => {
        const candidates = drawn.map(({ artist, score }, at) => candidate(at, artist, { score }))
        const station = arrangeStation(candidates, { limit: 25, before })
        const isOneArtist = new Set(artistsOf(station)).size <= 1
        if (!isOneArtist) {
          const around = [...before.slice(-2), ...artistsOf(station)]
          // The tracks before the radio station may themselves have a longer run by one artist.
          const ownRun = longestRun(around)
          expect(ownRun).toBeLessThanOrEqual(2)
        }
        expect(new Set(station.map(({ id }) => id)).size).toBe(station.length)
      },
    ),
  )
})

test('uses all candidates if an order with at most two consecutive tracks per artist exists', () => {
  const many = [...Array(8).keys()].map((id) => candidate(id, 'A', { score: 0.9 }))
  const few = [8, 9, 10].map((id) => candidate(id, 'B', { score: 0.1 }))
  const station = arrangeStation([...many, ...few], { limit: 25 })
  expect(station).toHaveLength(11)
  expect(longestRun(artistsOf(station))).toBe(2)
})

test('uses all candidates even if they are all by one artist', () => {
  const station = arrangeStation(
    [1, 2, 3, 4].map((id) => candidate(id, 'A')),
    { limit: 4 },
  )
  expect(station).toHaveLength(4)
})

test('takes the artists of the last tracks in the queue into account', () => {
  const candidates = [candidate(1, 'A', { score: 0.9 }), candidate(2, 'B', { score: 0.1 })]
  const station = arrangeStation(candidates, { limit: 2, before: ['A', 'A'] })
  expect(artistsOf(station)).toEqual(['B', 'A'])
})

test('uses only one recording of each piece', () => {
  const candidates = [
    candidate(1, 'A', { title: 'Night Drive' }),
    candidate(2, 'A', { title: 'Night Drive (Remix)', score: 0.8 }),
    candidate(3, 'B', { title: 'Night Drive' }),
  ]
  const ids = arrangeStation(candidates, { limit: 5 }).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(['2', '3'])
})

test('orders tracks so that the tempo changes in small steps', () => {
  const tempos = [120, 70, 100, 84, 125, 92, 110, 77]
  const candidates = tempos.map((tempo, id) => candidate(id, `Artist ${id}`, { tempo }))
  const seedSound = { tempo: 72, key: null, is_minor: null }
  const station = arrangeStation(candidates, { limit: 8, seedSound })
  const order = station.map(({ tempo }) => tempo!)
  const steps = (list: readonly number[]) =>
    list.slice(1).reduce((sum, tempo, at) => sum + Math.abs(Math.log2(tempo / list[at]!)), 0)
  expect(steps(order)).toBeLessThan(steps(tempos) / 2)
})

test('returns no tracks if there are no candidates', () => {
  expect(arrangeStation([], { limit: 5 })).toEqual([])
})
