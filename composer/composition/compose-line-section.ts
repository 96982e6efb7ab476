// The lead, its second voice, and the instrument that answers in the lead's rests.

import { wrap } from './compose-chords.ts'
import { chordAt } from './compose-harmony.ts'
import type { Note, Section } from './compose-model.ts'
import type { PartPlan, Rule } from './compose-plan.ts'
import type { Random } from './compose-random.ts'
import type { Song } from './compose-song.ts'

export function playLead(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  line: readonly Note[],
): Note[] {
  const start = section.startBeat + section.bars * song.beatsPerBar * (rule.enter ?? 0)
  return line
    .filter((note) => note.beat >= start - 1e-6)
    .map((note) => ({ ...note, pitch: note.pitch + (plan.octave ?? 0) }))
}

/** The nearest chord tone a third to a sixth below each longer note of the lead. */
export function playHarmony(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  line: readonly Note[],
): Note[] {
  return playLead(song, plan, section, rule, line).flatMap((note) => {
    const { tones } = chordAt(song.chords, note.beat)
    const interval = [3, 4, 5, 7, 8, 9].find((down) => tones.includes(wrap(note.pitch - down)))
    if (interval === undefined || note.beats < 0.45) return []
    return { ...note, pitch: note.pitch - interval, velocity: note.velocity * 0.8 }
  })
}

type Gap = { beat: number; beats: number }

/** Returns the spans in which the lead rests for two beats or more. */
function findRests(song: Song, section: Section, line: readonly Note[]): Gap[] {
  const end = section.startBeat + section.bars * song.beatsPerBar
  const gaps: Gap[] = []
  let free = section.startBeat
  for (const note of [...line, { beat: end, beats: 0 }]) {
    if (note.beat - free >= 1.9) gaps.push({ beat: Math.ceil(free), beats: note.beat - free })
    free = Math.max(free, note.beat + note.beats)
  }
  return gaps
}

/** A few notes of the pentatonic scale around the chord, ending on one of its tones. */
export function playAnswer(
  song: Song,
  plan: PartPlan,
  section: Section,
  line: readonly Note[],
  random: Random,
): Note[] {
  const register = plan.register ?? { low: 67, high: 86 }
  return findRests(song, section, line).flatMap((gap) => {
    if (!random.chance(0.75)) return []
    const { tones } = chordAt(song.chords, gap.beat)
    const ladder: number[] = []
    for (let pitch = register.low; pitch <= register.high; pitch++) {
      if (tones.includes(wrap(pitch))) ladder.push(pitch)
    }
    const count = Math.min(2 + random.integer(3), ladder.length)
    const up = random.chance(0.5)
    const first = random.integer(ladder.length - count + 1)
    const rungs = ladder.slice(first, first + count)
    const pitches = up ? rungs : rungs.toReversed()
    const step = song.stepsPerBeat === 3 ? 1 / 3 : random.pick([0.5, 0.5, 0.25])
    const start = gap.beat + (song.stepsPerBeat === 3 ? 0 : 0.5)
    const room = Math.floor((gap.beats - 1) / step)
    return pitches.slice(0, room).map((pitch, index): Note => {
      const last = index === pitches.length - 1
      return {
        beat: start + index * step,
        beats: last ? 1 : step,
        pitch,
        velocity: 0.42 + random.range(0, 0.12) + index * 0.02,
        shiftSeconds: 0,
      }
    })
  })
}
