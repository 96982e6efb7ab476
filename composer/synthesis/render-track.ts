// Renders a composition: each part is played, processed, balanced and sent to reverb and echo, then mastered.
// Deterministic: equal compositions give equal samples.

import type { Composition, Part } from '../composition/compose-model.ts'
import { applyEcho } from './synth-echo.ts'
import { filterMoving } from './synth-filter.ts'
import { estimateLoudness } from './synth-loudness.ts'
import { master } from './synth-master.ts'
import { applyAutoPan, applyChorus, applyRotor } from './synth-modulation.ts'
import { applyReverb } from './synth-reverb.ts'
import {
  createStereo,
  decibelsToGain,
  panGains,
  sampleRate,
  toSampleCount,
  type Stereo,
} from './synth-stereo.ts'
import { createVoices, isDrum, playPart, startSeconds } from './synth-voices.ts'

export type Rendered = { sampleRate: 44100; left: Float32Array; right: Float32Array }

const controlSamples = 64

/** Cutoff of the part's low-pass at a sample, gliding evenly in pitch between the given points. */
function brightnessAt(part: Part, composition: Composition) {
  const beatsPerSample = composition.tempo / 60 / sampleRate
  let next = 0
  return (index: number) => {
    const beat = index * beatsPerSample
    while (next < part.brightness.length && part.brightness[next]!.beat <= beat) next++
    const before = part.brightness[Math.max(0, next - 1)]!
    const after = part.brightness[Math.min(part.brightness.length - 1, next)]!
    const span = after.beat - before.beat
    const place = span > 0 ? Math.max(0, Math.min(1, (beat - before.beat) / span)) : 0
    return before.hz * (after.hz / before.hz) ** place
  }
}

function treat(part: Part, composition: Composition, stereo: Stereo): void {
  if (part.instrument === 'electric-piano') applyAutoPan(stereo, 3.4, 0.28)
  if (part.instrument === 'vibraphone') applyAutoPan(stereo, 4.6, 0.2)
  if (part.instrument === 'organ') applyRotor(stereo, composition)
  const wide = ['synth-lead', 'soft-lead', 'nylon-guitar', 'synth-pluck', 'electric-piano']
  if (wide.includes(part.instrument)) applyChorus(stereo)
  if (part.brightness.length === 0) return
  const resonance = part.instrument === 'drive-bass' ? 1.2 : 0.8
  filterMoving(stereo.left, brightnessAt(part, composition), resonance)
  filterMoving(stereo.right, brightnessAt(part, composition), resonance)
}

/** How strongly the kick lowers other parts over time: 0 not at all, 1 fully. One value per 64 samples. */
function duckingOf(composition: Composition, samples: number): Float32Array {
  const ducking = new Float32Array(Math.ceil(samples / controlSamples) + 1)
  const kick = composition.parts.find(({ instrument }) => instrument.startsWith('kick'))
  const recovery = Math.min(0.34, (60 / composition.tempo) * 0.72)
  for (const note of kick?.notes ?? []) {
    const hit = (startSeconds(note, composition) * sampleRate) / controlSamples
    const length = (recovery * sampleRate) / controlSamples
    // Starts 4 ms before the kick, so that the level is already lowered at its attack.
    const first = Math.max(0, Math.ceil(hit - (0.004 * sampleRate) / controlSamples))
    for (let step = first; step < Math.min(ducking.length, hit + length); step++) {
      const place = (step - hit) / length
      const held = place < 0 ? 0.6 : 0.5 + 0.5 * Math.cos(Math.PI * place)
      ducking[step] = Math.max(ducking[step]!, held * note.velocity)
    }
  }
  return ducking
}

/** The part's gain. Drums are normalized to a peak of 1. Other parts are measured by their loudness while playing. */
function balance(part: Part, stereo: Stereo): number {
  if (isDrum(part.instrument)) return decibelsToGain(part.levelDb)
  const loudness = estimateLoudness(stereo)
  return loudness === -Infinity ? 0 : decibelsToGain(part.levelDb - loudness)
}

type Buses = { mix: Stereo; room: Stereo; echo: Stereo }

function duck(buffer: Float32Array, ducking: Float32Array, depth: number): void {
  for (let index = 0; index < buffer.length; index++) {
    const step = index >> 6
    const held = ducking[step]! + ((ducking[step + 1]! - ducking[step]!) * (index & 63)) / 64
    buffer[index]! *= 1 - depth * held
  }
}

function add(target: Float32Array, source: Float32Array, gain: number): void {
  if (gain === 0) return
  for (let index = 0; index < target.length; index++) target[index]! += source[index]! * gain
}

function addToBuses(part: Part, stereo: Stereo, ducking: Float32Array, buses: Buses): void {
  const gain = balance(part, stereo)
  const [panLeft, panRight] = panGains(part.pan)
  for (const side of ['left', 'right'] as const) {
    const source = stereo[side]
    if (part.duck > 0) duck(source, ducking, part.duck)
    const level = gain * (side === 'left' ? panLeft : panRight)
    add(buses.mix[side], source, level)
    add(buses.room[side], source, level * part.reverb)
    add(buses.echo[side], source, level * part.delay)
  }
}

export function renderTrack(composition: Composition): Rendered {
  const samples = toSampleCount(composition.durationSeconds)
  const { production } = composition
  const buses = {
    mix: createStereo(samples),
    room: createStereo(samples),
    echo: createStereo(samples),
  }
  const ducking = duckingOf(composition, samples)
  const scratch = createStereo(samples)
  const voices = createVoices()
  for (const part of composition.parts) {
    scratch.left.fill(0)
    scratch.right.fill(0)
    playPart(part, composition, voices, scratch)
    treat(part, composition, scratch)
    addToBuses(part, scratch, ducking, buses)
  }
  applyEcho(buses.echo, (production.delayBeats * 60) / composition.tempo, production.delayFeedback)
  for (const side of ['left', 'right'] as const) add(buses.room[side], buses.echo[side], 0.25)
  applyReverb(buses.room, production.reverbSeconds, production.reverbDampingHz)
  for (const side of ['left', 'right'] as const) {
    add(buses.mix[side], buses.echo[side], 1)
    add(buses.mix[side], buses.room[side], 0.5)
  }
  master(buses.mix, production, composition.seed)
  return { sampleRate, left: buses.mix.left, right: buses.mix.right }
}
