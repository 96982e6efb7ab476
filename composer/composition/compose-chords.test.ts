import { describe, expect, test } from 'vitest'
import { createChord, nameKey } from './compose-chords.ts'
import { voiceChord } from './compose-voicing.ts'

const place = { beat: 0, beats: 4 }
const inC = { tonic: 0, mode: 'major' } as const

describe('createChord', () => {
  test('parses root, quality and bass', () => {
    expect(createChord('Bb13/F', place, inC)).toMatchObject({
      root: 10,
      bass: 5,
      tones: [10, 2, 5, 8, 0, 7],
    })
  })

  test('transposes from C to the key', () => {
    const chord = createChord('Dm7', place, { tonic: 3, mode: 'major' })
    expect(chord.tones).toEqual([5, 8, 0, 3])
  })

  test("keeps the key's scale when all chord tones belong to the key", () => {
    expect(createChord('Am9', place, inC).scale).toEqual([0, 2, 4, 5, 7, 9, 11])
  })

  test('replaces scale tones next to foreign chord tones: in C, E7 replaces G and A with G sharp', () => {
    const { scale } = createChord('E7', place, inC)
    expect(scale).toContain(8)
    expect(scale).not.toContain(7)
    expect(scale).not.toContain(9)
  })

  test('refuses an invalid chord', () => {
    expect(() => createChord('H7', place, inC)).toThrow('No such chord: H7')
    expect(() => createChord('Cmaj8', place, inC)).toThrow('No such chord: Cmaj8')
  })

  test('returns the names of keys', () => {
    expect(nameKey(15, 'minor')).toBe('Eb minor')
  })
})

describe('voiceChord', () => {
  const register = { low: 52, high: 74 }

  test('uses only chord tones, in ascending order and within the register', () => {
    const chord = createChord('Fmaj9', place, inC)
    const voices = voiceChord(chord, null, register, 4)
    expect(voices).toHaveLength(4)
    expect(voices.toSorted((a, b) => a - b)).toEqual(voices)
    for (const pitch of voices) expect(chord.tones).toContain(pitch % 12)
    expect(voices[0]).toBeGreaterThanOrEqual(52)
    expect(voices[3]).toBeLessThanOrEqual(74)
  })

  test('moves less than a leap from chord to chord', () => {
    const from = voiceChord(createChord('Dm9', place, inC), null, register, 4)
    const to = voiceChord(createChord('G13', place, inC), from, register, 4)
    const moved = to.reduce((sum, pitch, index) => sum + Math.abs(pitch - (from[index] ?? 0)), 0)
    expect(moved).toBeLessThanOrEqual(10)
  })

  test('doubles the root of a triad', () => {
    const voices = voiceChord(createChord('C', place, inC), null, register, 4)
    expect(voices.map((pitch) => pitch % 12).toSorted((a, b) => a - b)).toEqual([0, 0, 4, 7])
  })

  test('throws an error that names the chord without a voicing', () => {
    const narrow = { low: 61, high: 62 }
    expect(() => voiceChord(createChord('C', place, inC), null, narrow, 3)).toThrow('no room for C')
  })
})
