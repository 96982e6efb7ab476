// Generates the notes of every part of a style, then adds the small timing variations of human players.

import { wrap } from './compose-chords.ts'
import { playArpeggio, playChords, playPad, voiceSong } from './compose-harmony-section.ts'
import { playAnswer, playHarmony, playLead } from './compose-line-section.ts'
import type { Composition, Note, Part, Section } from './compose-model.ts'
import type { PartPlan } from './compose-plan.ts'
import type { Random } from './compose-random.ts'
import { playBass, playDrum, playRiser } from './compose-rhythm-section.ts'
import { ringBeat, type Song } from './compose-song.ts'
import { ruleFor } from './compose-strokes.ts'

type Melody = ReadonlyMap<Section, readonly Note[]>

function playSections(song: Song, plan: PartPlan, melody: Melody): Note[] {
  const voicings = voiceSong(song, plan)
  return song.sections.flatMap((section, index) => {
    const rule = ruleFor(plan.rules, section)
    if (!rule) return []
    // The pattern is drawn per kind of section, so that verses resemble each other. Random variations are drawn per
    // section.
    const random = song.random(`${plan.name} ${section.name} pattern`)
    const chance = song.random(`${plan.name} ${index}`)
    const line = melody.get(section) ?? []
    switch (plan.player) {
      case 'drum':
        return playDrum(song, plan, section, rule, random, chance)
      case 'bass':
        return playBass(song, plan, section, rule, random, chance)
      case 'chords':
        return playChords(song, plan, section, rule, random, chance, voicings)
      case 'arpeggio':
        return playArpeggio(song, plan, section, rule, random, chance, voicings)
      case 'pad':
        return playPad(song, section, rule, voicings)
      case 'lead':
        return playLead(song, plan, section, rule, line)
      case 'harmony':
        return playHarmony(song, plan, section, rule, line)
      case 'answer':
        return playAnswer(song, plan, section, line, chance)
      case 'riser':
        return playRiser(song, section, song.sections[index + 1])
    }
  })
}

/** The notes of a part on the final chord. */
function playRing(song: Song, plan: PartPlan): Note[] {
  const chord = song.chords.at(-1)
  if (!plan.rings || !chord) return []
  const note = { beat: ringBeat(song), beats: song.ringBeats, velocity: 0.55, shiftSeconds: 0 }
  if (plan.player === 'drum') return [{ ...note, pitch: plan.pitch ?? 60 }]
  if (plan.player === 'bass') {
    const low = plan.register?.low ?? 28
    return [{ ...note, velocity: 0.4, pitch: low + wrap(chord.bass - low) }]
  }
  const voices = voiceSong(song, plan).get(chord) ?? []
  const roll = Math.max(plan.rollSeconds ?? 0, plan.player === 'pad' ? 0 : 0.03)
  return voices.map((pitch, index) => ({ ...note, pitch, shiftSeconds: index * roll }))
}

/** Shifts notes by swing, by the part's delay and by random jitter. Notes keep their written beat. */
function perform(notes: Note[], plan: PartPlan, song: Song, swing: number, random: Random): Note[] {
  const stepSeconds = 60 / song.tempo / song.stepsPerBeat
  return notes
    .toSorted((a, b) => a.beat - b.beat || a.pitch - b.pitch)
    .map((note) => {
      const step = Math.round(note.beat * song.stepsPerBeat)
      const swung = song.stepsPerBeat === 4 && step % 2 === 1 ? swing * stepSeconds : 0
      const human = (plan.lateSeconds ?? 0) + random.spread(plan.jitterSeconds ?? 0.006)
      return {
        ...note,
        velocity: Math.min(1, Math.max(0.08, note.velocity)),
        shiftSeconds: note.shiftSeconds + swung + human,
      }
    })
}

function brightnessOf(song: Song, plan: PartPlan): Part['brightness'] {
  const wanted = plan.brightness
  if (!wanted) return []
  return song.sections.flatMap((section) => {
    const hz = wanted[section.name]
    if (hz === undefined) return []
    const beats = section.bars * song.beatsPerBar
    // Holds the low-pass cutoff until two bars before the end of the section, so that the change leads into the next
    // one.
    const until = section.startBeat + Math.max(beats / 2, beats - 2 * song.beatsPerBar)
    return [
      { beat: section.startBeat, hz },
      { beat: until, hz },
    ]
  })
}

/** All parts of the band, in the style's order; parts without notes are left out. */
export function playBand(
  song: Song,
  plans: readonly PartPlan[],
  melody: Melody,
  swing: number,
): Composition['parts'] {
  return plans.flatMap((plan): Part[] => {
    const random = song.random(`${plan.name} part`)
    const instrument = random.pick(plan.instrument)
    if (!random.chance(plan.chance ?? 1)) return []
    const notes = [...playSections(song, plan, melody), ...playRing(song, plan)]
    if (notes.length === 0) return []
    return [
      {
        name: plan.name,
        instrument,
        levelDb: plan.levelDb,
        pan: plan.pan ?? 0,
        reverb: plan.reverb ?? 0,
        delay: plan.delay ?? 0,
        duck: plan.duck ?? 0,
        notes: perform(notes, plan, song, swing, random),
        brightness: brightnessOf(song, plan),
      },
    ]
  })
}
