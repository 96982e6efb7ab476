// Monophonic synthesizers for basses and leads: two oscillators and a sub into a filter with its own envelope, notes
// that glide if they touch, and delayed vibrato.

import type { MonoInstrument } from '../composition/compose-model.ts'
import { sampleRate, toSampleCount } from './synth-stereo.ts'
import { tableSize, type Waveform, waveTable } from './synth-waveforms.ts'

export type MonoVoice = {
  waveform: Waveform
  /** Detuning and level of the second oscillator. */
  detuneCents: number
  second: number
  /** Level of a sine an octave below (for basses) in the sum. */
  sub: number
  /**
   * Filter cutoff as a multiple of the note's frequency, the octaves by which the envelope raises it, and the
   * duration of that envelope.
   */
  cutoffRatio: number
  envelopeOctaves: number
  filterDecaySeconds: number
  resonance: number
  drive: number
  attackSeconds: number
  /** Level held after the decay, 0 to 1. */
  sustain: number
  decaySeconds: number
  releaseSeconds: number
  glideSeconds: number
  vibratoCents: number
}

export const monoVoices: Record<MonoInstrument, MonoVoice> = {
  'sub-bass': voice({
    waveform: 'triangle',
    cutoffRatio: 3,
    envelopeOctaves: 1,
    drive: 1.7,
    glideSeconds: 0.06,
    attackSeconds: 0.008,
    sustain: 0.5,
    decaySeconds: 1.1,
    releaseSeconds: 0.09,
  }),
  'round-bass': voice({
    waveform: 'saw',
    sub: 0.5,
    cutoffRatio: 2.2,
    envelopeOctaves: 2.2,
    filterDecaySeconds: 0.16,
    drive: 1.4,
    sustain: 0.4,
    decaySeconds: 0.6,
    glideSeconds: 0.03,
    attackSeconds: 0.005,
    releaseSeconds: 0.08,
  }),
  'drive-bass': voice({
    waveform: 'saw',
    second: 0.7,
    detuneCents: 11,
    sub: 0.45,
    cutoffRatio: 3.5,
    envelopeOctaves: 2.6,
    filterDecaySeconds: 0.13,
    resonance: 1.5,
    drive: 1.9,
    sustain: 0.75,
    decaySeconds: 0.25,
    attackSeconds: 0.003,
    releaseSeconds: 0.04,
  }),
  'soft-lead': voice({
    waveform: 'triangle',
    second: 0.6,
    detuneCents: 7,
    cutoffRatio: 5,
    envelopeOctaves: 1,
    vibratoCents: 16,
    glideSeconds: 0.05,
    attackSeconds: 0.035,
    releaseSeconds: 0.22,
  }),
  'synth-lead': voice({
    waveform: 'saw',
    second: 0.85,
    detuneCents: 13,
    sub: 0.12,
    cutoffRatio: 5.5,
    envelopeOctaves: 1.5,
    filterDecaySeconds: 0.25,
    resonance: 1.1,
    drive: 1.3,
    vibratoCents: 13,
    glideSeconds: 0.035,
    attackSeconds: 0.008,
    sustain: 0.8,
    releaseSeconds: 0.16,
  }),
  'whistle-lead': voice({
    waveform: 'sine',
    second: 0.2,
    detuneCents: 1204,
    cutoffRatio: 8,
    vibratoCents: 22,
    glideSeconds: 0.07,
    attackSeconds: 0.05,
    releaseSeconds: 0.2,
  }),
}

function voice(given: Partial<MonoVoice> & { waveform: Waveform }): MonoVoice {
  return {
    detuneCents: 0,
    second: 0,
    sub: 0,
    cutoffRatio: 6,
    envelopeOctaves: 0,
    filterDecaySeconds: 0.3,
    resonance: 0.75,
    drive: 1,
    attackSeconds: 0.01,
    sustain: 0.9,
    decaySeconds: 0.4,
    releaseSeconds: 0.12,
    glideSeconds: 0,
    vibratoCents: 0,
    ...given,
  }
}

export type MonoNote = { hz: number; fromHz: number; seconds: number; velocity: number }

const controlSamples = 16

/** Pitch in Hz at `time` seconds into the note: glide, then vibrato that grows from 0.25 s on. */
function pitchAt(voice: MonoVoice, note: MonoNote, time: number): number {
  const slide = voice.glideSeconds > 0 ? Math.exp((-4 * time) / voice.glideSeconds) : 0
  const swell = Math.min(1, Math.max(0, (time - 0.25) / 0.35))
  const wave = Math.sin(2 * Math.PI * 5.3 * time) * voice.vibratoCents * swell
  return note.hz * (note.fromHz / note.hz) ** slide * 2 ** (wave / 1200)
}

/** Level at `time`: attack, decay to the sustain level, release when the note ends. */
function levelAt(voice: MonoVoice, note: MonoNote, time: number): number {
  const rise = Math.min(1, time / voice.attackSeconds)
  const fall = voice.sustain + (1 - voice.sustain) * Math.exp((-3 * time) / voice.decaySeconds)
  const after = time - note.seconds
  const left = after <= 0 ? 1 : Math.max(0, 1 - after / voice.releaseSeconds) ** 2
  return rise * rise * (3 - 2 * rise) * fall * left
}

function cutoffAt(voice: MonoVoice, note: MonoNote, time: number): number {
  const opening = voice.envelopeOctaves * (0.5 + note.velocity * 0.5)
  const envelope = Math.exp(-time / voice.filterDecaySeconds) * opening
  // The cutoff follows the pitch only partly, so that low notes stay bright and high ones soft.
  const base = voice.cutoffRatio * note.hz ** 0.7 * 220 ** 0.3
  return Math.min(base * 2 ** envelope, 14000)
}

/** The note as a buffer that starts and ends in silence. */
export function renderMonoNote(voice: MonoVoice, note: MonoNote): Float32Array {
  const output = new Float32Array(toSampleCount(note.seconds + voice.releaseSeconds) + 1)
  const table = waveTable(voice.waveform, note.hz * 1.06)
  const sine = waveTable('sine', note.hz)
  // Slightly detuned oscillators are centered around the note. An octave apart, the first one has the pitch of the
  // note.
  const apart = 2 ** (voice.detuneCents / 1200)
  const center = voice.detuneCents < 100 ? Math.sqrt(apart) : 1
  const damping = 1 / voice.resonance
  const norm = 1 / (1 + voice.second * 0.7 + voice.sub * 0.7)
  let [first, second, sub] = [0, 0.1 * tableSize, 0]
  let [s1, s2] = [0, 0]
  let level = 0
  for (let start = 0; start < output.length; start += controlSamples) {
    const end = Math.min(output.length, start + controlSamples)
    const time = end / sampleRate
    const step = (pitchAt(voice, note, time) * tableSize) / sampleRate / center
    const rise = (levelAt(voice, note, time) - level) / (end - start)
    const g = Math.tan((Math.PI * cutoffAt(voice, note, time)) / sampleRate)
    const a1 = 1 / (1 + g * (g + damping))
    const a2 = g * a1
    for (let index = start; index < end; index++) {
      const i1 = first | 0
      const i2 = second | 0
      const i3 = sub | 0
      const x1 = table[i1]!
      const x2 = table[i2]!
      const x3 = sine[i3]!
      const mixed =
        x1 +
        (table[i1 + 1]! - x1) * (first - i1) +
        voice.second * (x2 + (table[i2 + 1]! - x2) * (second - i2)) +
        voice.sub * (x3 + (sine[i3 + 1]! - x3) * (sub - i3))
      if ((first += step) >= tableSize) first -= tableSize
      if ((second += step * apart) >= tableSize) second -= tableSize
      if ((sub += step * center * 0.5) >= tableSize) sub -= tableSize
      const v3 = mixed * norm - s2
      const v1 = a1 * s1 + a2 * v3
      const v2 = s2 + a2 * s1 + g * a2 * v3
      s1 = 2 * v1 - s1
      s2 = 2 * v2 - s2
      level += rise
      const driven = v2 * voice.drive
      output[index] = (driven / (1 + Math.abs(driven) * 0.35)) * level
    }
  }
  return output
}
