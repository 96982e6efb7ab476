// Plays a part's notes into a stereo buffer with the part's kind of instrument.

import type {
  Composition,
  DrumInstrument,
  Instrument,
  LoopedInstrument,
  MonoInstrument,
  Note,
  Part,
  StruckInstrument,
} from '../composition/compose-model.ts'
import { createDrumVoice } from './synth-kit.ts'
import { createLoopedVoice, type LoopedVoice, loopSize } from './synth-looped.ts'
import { monoVoices, renderMonoNote } from './synth-mono.ts'
import { panGains, pitchToHz, toSampleCount, sampleRate, type Stereo } from './synth-stereo.ts'
import { createStruckVoice, type StruckVoice } from './synth-struck.ts'

const drums: ReadonlySet<string> = new Set<DrumInstrument>([
  'kick-soft',
  'kick-dusty',
  'kick-club',
  'snare-dusty',
  'snare-brush',
  'snare-big',
  'clap',
  'snap',
  'rim',
  'hat-closed',
  'hat-open',
  'hat-dusty',
  'ride',
  'shaker',
  'tambourine',
  'tom',
  'crash',
  'riser',
])
const looped: ReadonlySet<string> = new Set<LoopedInstrument>([
  'warm-pad',
  'air-pad',
  'strings',
  'choir-ooh',
  'choir-aah',
  'organ',
  'supersaw',
])

export function isDrum(instrument: Instrument): instrument is DrumInstrument {
  return drums.has(instrument)
}

function isLooped(instrument: Instrument): instrument is LoopedInstrument {
  return looped.has(instrument)
}

function isMono(instrument: Instrument): instrument is MonoInstrument {
  return instrument in monoVoices
}

/** The instruments of one rendering. Parts with the same instrument share its samples. */
export type Voices = {
  struck: (instrument: StruckInstrument) => StruckVoice
  looped: (instrument: LoopedInstrument) => LoopedVoice
}

function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

export function createVoices(): Voices {
  return { struck: remember(createStruckVoice), looped: remember(createLoopedVoice) }
}

/** Actual start of a note, in seconds. */
export function startSeconds(note: Note, composition: Composition): number {
  return Math.max(0, (note.beat * 60) / composition.tempo + note.shiftSeconds)
}

/** Adds `sample`, cut after `seconds` with a fade of `release`, to both channels. */
function addSample(
  out: Stereo,
  sample: Float32Array,
  at: { start: number; samples: number; release: number },
  gains: readonly [number, number],
): void {
  const room = out.left.length - at.start
  const end = Math.min(sample.length, at.samples + at.release, room)
  const held = Math.min(at.samples, end)
  const [left, right] = gains
  for (let index = 0; index < held; index++) {
    const value = sample[index]!
    out.left[at.start + index]! += value * left
    out.right[at.start + index]! += value * right
  }
  for (let index = held; index < end; index++) {
    const fade = 1 - (index - held) / at.release
    const value = sample[index]! * fade * fade
    out.left[at.start + index]! += value * left
    out.right[at.start + index]! += value * right
  }
}

/** Pans low keys to the left and high keys to the right, as a pianist hears them. */
function keyPan(pitch: number): number {
  return Math.max(-0.35, Math.min(0.35, (pitch - 65) / 60))
}

function playStruck(
  part: Part,
  instrument: StruckInstrument,
  composition: Composition,
  voices: Voices,
  out: Stereo,
) {
  const voice = voices.struck(instrument)
  const release = toSampleCount(voice.releaseSeconds)
  for (const note of part.notes) {
    const sample = voice.sampleFor(note.pitch, note.velocity)
    const [left, right] = panGains(keyPan(note.pitch))
    const gain = note.velocity ** 1.4
    const start = toSampleCount(startSeconds(note, composition))
    const samples = toSampleCount((note.beats * 60) / composition.tempo)
    addSample(out, sample, { start, samples, release }, [gain * left, gain * right])
  }
}

function playDrums(part: Part, instrument: DrumInstrument, composition: Composition, out: Stereo) {
  const voice = createDrumVoice(instrument, composition.seed)
  part.notes.forEach((note, take) => {
    const seconds = (note.beats * 60) / composition.tempo
    const sample = voice(take, { seconds, pitch: note.pitch })
    const start = toSampleCount(startSeconds(note, composition))
    const gain = note.velocity ** 1.3
    addSample(out, sample, { start, samples: sample.length, release: 1 }, [gain, gain])
  })
}

function playMono(part: Part, instrument: MonoInstrument, composition: Composition, out: Stereo) {
  const voice = monoVoices[instrument]
  let before: { hz: number; end: number } | null = null
  for (const note of part.notes) {
    const start = startSeconds(note, composition)
    const seconds = (note.beats * 60) / composition.tempo
    const hz = pitchToHz(note.pitch)
    // Glide only from a note that still sounds; after a rest the note starts at its own pitch.
    const touches = before !== null && start - before.end < 0.06
    const fromHz = touches && before ? before.hz : hz
    const sample = renderMonoNote(voice, { hz, fromHz, seconds, velocity: note.velocity })
    const at = { start: toSampleCount(start), samples: sample.length, release: 1 }
    addSample(out, sample, at, [note.velocity, note.velocity])
    before = { hz, end: start + seconds }
  }
}

function playLooped(
  part: Part,
  instrument: LoopedInstrument,
  composition: Composition,
  voices: Voices,
  out: Stereo,
) {
  const voice = voices.looped(instrument)
  part.notes.forEach((note, number) => {
    const loop = voice.loopFor(note.pitch)
    const start = toSampleCount(startSeconds(note, composition))
    const seconds = (note.beats * 60) / composition.tempo
    const attack = Math.min(voice.attackSeconds, seconds * 0.6) * sampleRate
    const release = voice.releaseSeconds * sampleRate
    const held = toSampleCount(seconds)
    const end = Math.min(held + release, out.left.length - start)
    const leftAt = (number * 40503) % loopSize
    // The right channel plays the loop from another position: a wide sound that stays mono-compatible.
    const rightAt = (leftAt + loopSize / 2) % loopSize
    let level = 0
    let reached = 0
    for (let index = 0; index < end; index++) {
      if (index < held) {
        const rise = Math.min(1, index / attack)
        level = reached = rise * rise * (3 - 2 * rise) * note.velocity
      } else {
        const left = 1 - (index - held) / release
        level = reached * left * left
      }
      const a = loop[(leftAt + index) & (loopSize - 1)]! * level
      const b = loop[(rightAt + index) & (loopSize - 1)]! * level
      out.left[start + index]! += a * 0.86 + b * 0.3
      out.right[start + index]! += b * 0.86 + a * 0.3
    }
  })
}

/** Adds all notes of the part to `out`, at the instrument's natural loudness. */
export function playPart(part: Part, composition: Composition, voices: Voices, out: Stereo): void {
  const { instrument } = part
  if (isDrum(instrument)) playDrums(part, instrument, composition, out)
  else if (isLooped(instrument)) playLooped(part, instrument, composition, voices, out)
  else if (isMono(instrument)) playMono(part, instrument, composition, out)
  else playStruck(part, instrument, composition, voices, out)
}
