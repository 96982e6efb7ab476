import { describe, expect, test } from 'vitest'
import { chordAt } from './compose-harmony.ts'
import type { Composition, Mood, Note } from './compose-model.ts'
import { composeTrack, moodStyles } from './compose-track.ts'

const moods = Object.keys(moodStyles) as Mood[]
const seeds = Array.from({ length: 5 }, (_, index) => index * 7 + 1)
const leadNames = ['lead', 'verse lead', 'soprano']

function leadsOf(composition: Composition): Note[][] {
  return composition.parts.filter(({ name }) => leadNames.includes(name)).map(({ notes }) => notes)
}

function notesIn(composition: Composition, index: number): { part: string; note: Note }[] {
  const section = composition.sections[index]
  if (!section) return []
  const end = section.startBeat + section.bars * composition.beatsPerBar
  return composition.parts.flatMap(({ name, notes }) =>
    notes
      .filter(({ beat }) => beat >= section.startBeat - 1e-6 && beat < end - 1e-6)
      .map((note) => ({ part: name, note: { ...note, beat: note.beat - section.startBeat } })),
  )
}

test('equal specifications give equal compositions, and different seeds give different ones', () => {
  const spec = { seed: 5, mood: 'study', durationSeconds: 70 } as const
  expect(composeTrack(spec)).toEqual(composeTrack(spec))
  expect(composeTrack({ ...spec, seed: 6 }).parts).not.toEqual(composeTrack(spec).parts)
})

test('key and tempo can be given; the tempo is adjusted slightly to fill the duration', () => {
  const song = composeTrack({ seed: 1, mood: 'focus', durationSeconds: 90, key: 3, tempo: 80 })
  expect(song.key).toBe('Eb major')
  expect(Math.abs(song.tempo - 80)).toBeLessThan(4)
})

describe.each(moods)('%s', (mood) => {
  const songs = seeds.flatMap((seed) =>
    [60, 100, 178].map((durationSeconds) => composeTrack({ seed, mood, durationSeconds })),
  )

  test('fills the duration with its sections and leaves room for the last chord', () => {
    for (const song of songs) {
      let beat = 0
      for (const section of song.sections) {
        expect(section.startBeat).toBe(beat)
        beat += section.bars * song.beatsPerBar
      }
      expect((beat * 60) / song.tempo).toBeCloseTo(song.durationSeconds - 5, 6)
      const names = song.sections.map(({ name }) => name)
      expect(names[0]).toBe('intro')
      expect(names.at(-1)).toBe('outro')
      expect(names).toContain('verse')
      expect(names).toContain('chorus')
      if (song.durationSeconds > 75) expect(names).toContain('bridge')
    }
  })

  test('contains only playable notes within the track', () => {
    const unplayable = songs.flatMap((song) =>
      song.parts.flatMap(({ notes }) =>
        notes.filter(({ pitch, velocity, beat, beats }) => {
          const heard = velocity > 0 && velocity <= 1 && beats > 0
          return (
            !heard || pitch < 24 || pitch > 108 || (beat * 60) / song.tempo >= song.durationSeconds
          )
        }),
      ),
    )
    expect(unplayable).toEqual([])
  })

  test('has a singable melody: chord tones on strong beats, mostly steps, a limited range, and rests', () => {
    let [strong, strongInChord, moves, steps, wide] = [0, 0, 0, 0, 0]
    for (const song of songs) {
      for (const line of leadsOf(song)) {
        const pitches = line.map(({ pitch }) => pitch)
        // A raised last chorus may extend the voice's range by two semitones.
        expect(Math.max(...pitches) - Math.min(...pitches)).toBeLessThanOrEqual(23)
        const sounding = line.reduce((sum, { beats }) => sum + beats, 0)
        const last = line.at(-1)
        expect(sounding).toBeLessThan((last?.beat ?? 0) - (line[0]?.beat ?? 0) + 8)
        line.forEach((note, index) => {
          const { tones } = chordAt(song.chords, note.beat)
          if (note.beat % 2 === 0) {
            strong++
            if (tones.includes(note.pitch % 12)) strongInChord++
          }
          const before = line[index - 1]
          if (!before || note.beat - before.beat > 3) return
          const leap = Math.abs(note.pitch - before.pitch)
          moves++
          if (leap <= 4) steps++
          if (leap > 9) wide++
        })
      }
    }
    expect(strong).toBeGreaterThan(100)
    expect(strongInChord / strong).toBeGreaterThan(0.93)
    expect(steps / moves).toBeGreaterThan(0.8)
    expect(wide / moves).toBeLessThan(0.01)
  })

  test('gives a chorus more parts and strokes than the intro', () => {
    for (const song of songs) {
      const chorus = song.sections.findIndex(({ name }) => name === 'chorus')
      const density = (index: number) => {
        const notes = notesIn(song, index)
        const parts = new Set(notes.map(({ part }) => part)).size
        return { parts, strokes: notes.length / (song.sections[index]?.bars ?? 1) }
      }
      expect(density(chorus).parts).toBeGreaterThan(density(0).parts)
      expect(density(chorus).strokes).toBeGreaterThan(density(0).strokes)
    }
  })

  test('varies a repeated chorus', () => {
    const song = composeTrack({ seed: 3, mood, durationSeconds: 150 })
    const [first, second] = song.sections.flatMap(({ name }, index) =>
      name === 'chorus' ? [index] : [],
    )
    if (first === undefined || second === undefined) throw new Error('Two choruses were expected')
    const lead = (index: number) =>
      notesIn(song, index).filter(({ part }) => leadNames.includes(part))
    expect(notesIn(song, first)).not.toEqual(notesIn(song, second))
    const strikes = new Set(lead(first).map(({ note }) => note.beat))
    const shared = lead(second).filter(({ note }) => strikes.has(note.beat)).length
    expect(shared / lead(second).length).toBeGreaterThan(0.6)
  })

  test('ends on the tonic chord', () => {
    for (const song of songs) expect(song.chords.at(-1)?.root).toBe(song.chords.at(-1)?.bass)
    for (const song of songs) {
      const lift = song.sections.at(-1)?.transpose ?? 0
      expect(song.chords.at(-1)?.root).toBe((song.tonic + lift) % 12)
    }
  })
})
