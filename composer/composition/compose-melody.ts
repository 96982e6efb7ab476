// Turns themes into a singable line. The pitches of a whole phrase are chosen together (Viterbi). The cost of a pitch
// depends on the desired contour, the chord, the voice's range and how natural it sounds.

import { wrap } from './compose-chords.ts'
import { chordAt } from './compose-harmony.ts'
import type { Chord, Note, Section } from './compose-model.ts'
import type { Random } from './compose-random.ts'
import type { Song } from './compose-song.ts'
import { inventTheme, type Cells, type Theme, type ThemeBar, varyBar } from './compose-theme.ts'

export type MelodyStyle = {
  verse: Cells
  chorus: Cells
  cadence: Cells
  low: number
  high: number
}

type Slot = {
  beat: number
  beats: number
  strong: boolean
  target: number
  /** The tonic at this note, including the semitones by which the last chorus is raised. */
  tonic: number
  chord: Chord
  /** The chord that sounds when the note ends. */
  later: Chord
  /** Set on the last note of a phrase: 'open' keeps tension, 'closed' resolves it. */
  close: 'open' | 'closed' | null
}

function slotsOfBar(
  bar: ThemeBar,
  startBeat: number,
  close: Slot['close'],
  song: Song,
  place: { center: number; transpose: number },
): Slot[] {
  const slots: Slot[] = []
  ;[...bar.cell].forEach((char, step) => {
    const last = slots.at(-1)
    if (char === '-' && last) last.beats += 1 / song.stepsPerBeat
    if (char !== 'x') return
    const beat = startBeat + step / song.stepsPerBeat
    slots.push({
      beat,
      beats: 1 / song.stepsPerBeat,
      strong: step % (song.stepsPerBeat * 2) === 0,
      target: place.center + place.transpose + (bar.contour[slots.length] ?? 0),
      tonic: song.tonic + place.transpose,
      chord: chordAt(song.chords, beat),
      later: chordAt(song.chords, beat),
      close: null,
    })
  })
  const last = slots.at(-1)
  if (last) last.close = close
  for (const slot of slots) {
    slot.strong ||= slot.beats >= 1
    slot.later = chordAt(song.chords, slot.beat + slot.beats - 0.01)
  }
  return slots
}

/** The cost of a pitch for one note, independent of the previous note. */
function placeCost(pitch: number, slot: Slot): number {
  const pitchClass = wrap(pitch)
  const inChord = slot.chord.tones.includes(pitchClass)
  const rubs = slot.chord.tones.some((tone) => wrap(pitchClass - tone) === 1)
  let cost = Math.abs(pitch - slot.target) * 0.35
  if (!inChord) cost += (slot.strong ? 3.5 : 0.5) + (rubs ? 1.5 : 0)
  if (!slot.later.tones.includes(pitchClass)) cost += slot.later === slot.chord ? 0 : 1
  if (!slot.later.scale.includes(pitchClass)) cost += 3
  if (inChord && pitchClass === slot.chord.root && !slot.close) cost += 0.3
  // A seventh or fourth of the key makes a line less folk-like, so allow a few of them.
  const degree = wrap(pitchClass - slot.tonic)
  if (!inChord && (degree === 5 || degree === 11)) cost += 0.4
  if (slot.close && !inChord) cost += 6
  if (slot.close === 'closed' && ![0, 3, 4, 7].includes(degree)) cost += 1.5
  if (slot.close === 'open' && degree === 0) cost += 1.5
  return cost
}

const leapCosts = [0.5, 0, 0, 0.4, 0.5, 1.1, 3.2, 1.4, 2.6, 3, 5, 6, 3.5]

/** The cost of the interval between two consecutive notes. */
function moveCost(from: number, to: number, before: Slot, slot: Slot): number {
  const leap = Math.abs(to - from)
  const desiredStep = slot.target - before.target
  let cost = leapCosts[leap] ?? 8
  if (Math.abs(desiredStep) > 1 && Math.sign(desiredStep) !== Math.sign(to - from)) cost += 0.8
  // A non-chord tone must be left by step, or it sounds wrong.
  if (leap > 2 && !before.chord.tones.includes(wrap(from))) cost += 3
  return cost
}

type Step = { pitch: number; cost: number; from: number }

function choosePitches(slots: readonly Slot[], style: MelodyStyle, random: Random) {
  const table: Step[][] = []
  slots.forEach((slot, index) => {
    const row: Step[] = []
    const before = slots[index - 1]
    for (let pitch = style.low; pitch <= style.high; pitch++) {
      if (!slot.chord.scale.includes(wrap(pitch))) continue
      const here = placeCost(pitch, slot) + random.range(0, 0.5)
      let cost = before ? Infinity : here
      let from = -1
      table[index - 1]?.forEach((step, option) => {
        if (!before) return
        const total = step.cost + here + moveCost(step.pitch, pitch, before, slot)
        if (total < cost) [cost, from] = [total, option]
      })
      row.push({ pitch, cost, from })
    }
    table.push(row)
  })
  const pitches: number[] = []
  let option = -1
  for (let index = table.length - 1; index >= 0; index--) {
    const row = table[index] ?? []
    const step = option < 0 ? row.reduce((a, b) => (b.cost < a.cost ? b : a)) : row[option]
    pitches.unshift(step?.pitch ?? 0)
    option = step?.from ?? -1
  }
  return pitches
}

function sectionSlots(section: Section, theme: Theme, song: Song, center: number, random: Random) {
  return Array.from({ length: section.bars }, (_, index) => {
    const closing = index === section.bars - 1
    const cadence = index % 4 === 3
    const base = closing ? theme.answer : theme.bars[index % 4]
    if (!base) return []
    const fresh = section.occurrence > 0 || index >= 4
    const bar = fresh && !cadence && random.chance(0.4) ? varyBar(base, random) : base
    const close = closing ? 'closed' : cadence ? 'open' : null
    const startBeat = section.startBeat + index * song.beatsPerBar
    return slotsOfBar(bar, startBeat, close, song, { center, transpose: section.transpose })
  }).flat()
}

/** The lead's notes for verses, choruses and the bridge. The bridge varies the verse's cells with fewer notes. */
export function composeMelody(song: Song, style: MelodyStyle): Map<Section, Note[]> {
  const middle = (style.low + style.high) / 2
  const themes = {
    verse: inventTheme(style.verse, style.cadence, song.random('verse theme')),
    chorus: inventTheme(style.chorus, style.cadence, song.random('chorus theme')),
    bridge: inventTheme(style.cadence, style.cadence, song.random('bridge theme')),
  }
  const lines = new Map<Section, Note[]>()
  song.sections.forEach((section, index) => {
    const random = song.random(`melody ${index}`)
    const theme = section.name === 'chorus' ? themes.chorus : themes.verse
    const chosen = section.name === 'bridge' ? themes.bridge : theme
    const center = middle + (section.name === 'chorus' ? 1.5 : -2)
    const slots = sectionSlots(section, chosen, song, center, random)
    const pitches = choosePitches(slots, style, song.random(`pitches ${section.name}`))
    const notes = slots.map((slot, place): Note => {
      const accent = slot.strong ? 0.08 : 0
      return {
        beat: slot.beat,
        // A tiny gap between notes keeps the line articulate.
        beats: slot.beats * 0.94,
        pitch: pitches[place] ?? 0,
        velocity: 0.5 + section.energy * 0.25 + accent + random.spread(0.06),
        shiftSeconds: 0,
      }
    })
    lines.set(section, notes)
  })
  return lines
}
