// Property-based tests of splitting payments among artists, with arbitrary payments and plays.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCents, splitRoyalties, type ListeningTime, type NetCash } from './split-royalties.ts'

const members = ['ann', 'ben', 'cas', 'dan', 'eve']
const artists = ['north', 'south', 'east', 'west']

const nets: fc.Arbitrary<NetCash[]> = fc.uniqueArray(fc.constantFrom(...members)).chain((ids) =>
  fc.tuple(
    ...ids.map((user_id) =>
      fc.record({
        user_id: fc.constant(user_id),
        cents: fc.integer({ min: -5000, max: 20_000 }),
      }),
    ),
  ),
)
const listeningTimes: fc.Arbitrary<ListeningTime[]> = fc.uniqueArray(
  fc.record({
    user_id: fc.constantFrom(...members),
    artist_id: fc.constantFrom(...artists),
    seconds: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1e6, noNaN: true })),
  }),
  { selector: ({ user_id, artist_id }) => `${user_id} ${artist_id}` },
)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test("the shares and the owner's amount add up to the payments, to the cent", () => {
  fc.assert(
    fc.property(nets, listeningTimes, (paid, listened) => {
      const { net_cents, owner_cents, artists: shares } = splitRoyalties(paid, listened)
      expect(net_cents).toBe(sum(paid.map(({ cents }) => cents)))
      expect(sum(shares.map(({ cents }) => cents)) + owner_cents).toBe(net_cents)
      for (const { cents } of shares) {
        expect(Number.isInteger(cents)).toBe(true)
        expect(cents).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test("a member's payments go only to artists that this member played", () => {
  fc.assert(
    fc.property(nets, listeningTimes, (paid, listened) => {
      for (const one of paid) {
        const alone = splitRoyalties([one], listened)
        const own = listened.filter(({ user_id }) => user_id === one.user_id)
        const names = own.filter(({ seconds }) => seconds > 0).map(({ artist_id }) => artist_id)
        for (const { artist_id } of alone.artists) expect(names).toContain(artist_id)
        const isOwners = one.cents <= 0 || alone.artists.length === 0
        expect(alone.owner_cents).toBe(isOwners ? one.cents : 0)
      }
    }),
  )
})

test("one member's payments and plays do not change another member's shares", () => {
  fc.assert(
    fc.property(nets, listeningTimes, (paid, listened) => {
      const together = splitRoyalties(paid, listened)
      const apart = paid.map((one) => splitRoyalties([one], listened))
      for (const artist of artists) {
        const of = ({ artists: shares }: typeof together) =>
          sum(shares.filter(({ artist_id }) => artist_id === artist).map(({ cents }) => cents))
        expect(of(together)).toBe(sum(apart.map(of)))
      }
    }),
  )
})

test("an artist's share differs by less than a cent from its exact value, and more minutes never reduce it", () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), {
    minLength: 1,
    maxLength: 300,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), weights, (cents, parts) => {
      const total = parts.reduce((all, part) => all + part, 0n)
      fc.pre(total > 0n)
      const split = splitCents(cents, parts)
      expect(sum(split)).toBe(cents)
      for (const [index, part] of parts.entries()) {
        const exact = (cents * Number(part)) / Number(total)
        expect(Math.abs(split[index]! - exact)).toBeLessThan(1.001)
        for (const [other, weight] of parts.entries()) {
          if (weight > part) expect(split[other]!).toBeGreaterThanOrEqual(split[index]!)
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('a refund in the same month reduces the amount to split, and a full refund leaves nothing', () => {
  const listened = [
    { user_id: 'ann', artist_id: 'north', seconds: 60 },
    { user_id: 'ann', artist_id: 'south', seconds: 120 },
  ]
  const shares = (cents: number) =>
    splitRoyalties([{ user_id: 'ann', cents }], listened).artists.map((share) => share.cents)
  expect(shares(999)).toEqual([333, 666])
  expect(shares(999 - 300)).toEqual([233, 466])
  expect(shares(0)).toEqual([])
})
