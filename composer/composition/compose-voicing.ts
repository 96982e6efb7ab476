// Voice leading: chooses the octave of each chord tone, so that every voice moves as little as possible and the low end
// stays clear.

import { wrap } from './compose-chords.ts'
import type { Chord } from './compose-model.ts'

export type Register = { low: number; high: number }

/** The tones to play above the bass. If the chord has too many, omits its root first, then its fifth. */
function essentialTones(chord: Chord, voices: number): number[] {
  const tones = [...chord.tones]
  if (tones.length > voices) tones.shift()
  const fifth = tones.indexOf(wrap(chord.root + 7))
  if (tones.length > voices && fifth >= 0) tones.splice(fifth, 1)
  return tones.slice(-voices)
}

/** Every way to place the tones in the register, each in one octave, ascending. */
function placements(tones: readonly number[], register: Register): number[][] {
  let found: number[][] = [[]]
  for (const tone of tones) {
    const octaves: number[] = []
    for (let pitch = register.low; pitch <= register.high; pitch++) {
      if (wrap(pitch) === tone) octaves.push(pitch)
    }
    found = found.flatMap((pitches) =>
      octaves.filter((pitch) => !pitches.includes(pitch)).map((pitch) => [...pitches, pitch]),
    )
  }
  return found.map((pitches) => pitches.toSorted((a, b) => a - b))
}

function spacingCost(pitches: readonly number[]): number {
  let cost = 0
  for (let index = 1; index < pitches.length; index++) {
    const lower = pitches[index - 1] ?? 0
    const gap = (pitches[index] ?? 0) - lower
    if (gap === 1) cost += index === pitches.length - 1 ? 7 : 3.5
    if (gap === 2) cost += 1.2
    if (gap > 9) cost += (gap - 9) * 1.5
    // Small intervals sound muddy below the E under middle C.
    if (lower < 52 && gap < 5) cost += (5 - gap) * (52 - lower) * 0.25
  }
  return cost
}

function movementCost(pitches: readonly number[], previous: readonly number[]): number {
  const nearest = (pitch: number, others: readonly number[]) =>
    Math.min(...others.map((other) => Math.abs(other - pitch)))
  const top = Math.abs((pitches.at(-1) ?? 0) - (previous.at(-1) ?? 0))
  const moves = pitches.reduce((sum, pitch) => sum + nearest(pitch, previous), 0)
  const left = previous.reduce((sum, pitch) => sum + nearest(pitch, pitches), 0)
  return moves + left * 0.5 + top * 0.6
}

/** `voices` pitches for the chord, ascending, near `previous` when there is one. */
export function voiceChord(
  chord: Chord,
  previous: readonly number[] | null,
  register: Register,
  voices: number,
): number[] {
  const center = (register.low + register.high) / 2
  let best: number[] = []
  let bestCost = Infinity
  const tones = essentialTones(chord, voices)
  // A triad doubles its root if the register has room for both.
  const doubled = tones.length < voices ? placements([...tones, chord.root], register) : []
  for (const pitches of doubled.length > 0 ? doubled : placements(tones, register)) {
    const mean = pitches.reduce((sum, pitch) => sum + pitch, 0) / pitches.length
    const cost =
      spacingCost(pitches) +
      Math.abs(mean - center) * (previous ? 0.4 : 1) +
      (previous ? movementCost(pitches, previous) : 0)
    if (cost < bestCost) {
      best = pitches
      bestCost = cost
    }
  }
  if (best.length === 0) throw new Error(`The register has no room for ${chord.symbol}`)
  return best
}
