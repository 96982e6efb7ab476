// Renders a composition: each part played, treated, balanced and sent to room and echo, then mastered.
// Everything is a function of the composition, so equal compositions give equal samples.

import type { Composition, Part } from './compose-model.ts'
import { applyEcho } from './synth-echo.ts'
import { filterMoving } from './synth-filter.ts'
import { measureLoudness } from './synth-loudness.ts'
import { master } from './synth-master.ts'
import { applyAutoPan, applyChorus, applyRotor } from './synth-modulation.ts'
import { applyReverb } from './synth-reverb.ts'
import {
  createStereo,
  decibelsToGain,
  panGains,
  sampleRate,
  samplesOf,
  type Stereo,
} from './synth-stereo.ts'
import { isDrum, playPart, startSeconds } from './synth-voices.ts'

export type Rendered = { sampleRate: 44100; left: Float32Array; right: Float32Array }

const controlSamples = 64

/** Corner of the part's low-pass at a sample, sliding evenly in pitch between the written points. */
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

/** How far the kick holds others down over time: 0 free, 1 fully; one value per 64 samples. */
function duckingOf(composition: Composition, samples: number): Float32Array {
  const ducking = new Float32Array(Math.ceil(samples / controlSamples) + 1)
  const kick = composition.parts.find(({ instrument }) => instrument.startsWith('kick'))
  const recovery = Math.min(0.34, (60 / composition.tempo) * 0.72)
  for (const note of kick?.notes ?? []) {
    const hit = (startSeconds(note, composition) * sampleRate) / controlSamples
    const length = (recovery * sampleRate) / controlSamples
    // Starts 4 ms early, so that the kick's own attack finds the room made.
    const first = Math.max(0, Math.ceil(hit - (0.004 * sampleRate) / controlSamples))
    for (let step = first; step < Math.min(ducking.length, hit + length); step++) {
      const place = (step - hit) / length
      const held = place < 0 ? 0.6 : 0.5 + 0.5 * Math.cos(Math.PI * place)
      ducking[step] = Math.max(ducking[step]!, held * note.velocity)
    }
  }
  return ducking
}

/** The part's gain: drums by their peak (made as 1), tones by their loudness while they play. */
function balance(part: Part, stereo: Stereo): number {
  if (isDrum(part.instrument)) return decibelsToGain(part.levelDb)
  const loudness = measureLoudness(stereo)
  return loudness === -Infinity ? 0 : decibelsToGain(part.levelDb - loudness)
}

type Buses = { mix: Stereo; room: Stereo; echo: Stereo }

function addToBuses(part: Part, stereo: Stereo, ducking: Float32Array, buses: Buses): void {
  const gain = balance(part, stereo)
  const pans = panGains(part.pan)
  const sides = ['left', 'right'] as const
  sides.forEach((side, channel) => {
    const source = stereo[side]
    const mix = buses.mix[side]
    const room = buses.room[side]
    const echo = buses.echo[side]
    const level = gain * pans[channel]!
    for (let index = 0; index < source.length; index++) {
      const step = index >> 6
      const held = ducking[step]! + ((ducking[step + 1]! - ducking[step]!) * (index & 63)) / 64
      const value = source[index]! * level * (1 - part.duck * held)
      mix[index]! += value
      room[index]! += value * part.reverb
      echo[index]! += value * part.delay
    }
  })
}

export function renderTrack(composition: Composition): Rendered {
  const samples = samplesOf(composition.durationSeconds)
  const { production } = composition
  const buses = {
    mix: createStereo(samples),
    room: createStereo(samples),
    echo: createStereo(samples),
  }
  const ducking = duckingOf(composition, samples)
  const scratch = createStereo(samples)
  for (const part of composition.parts) {
    scratch.left.fill(0)
    scratch.right.fill(0)
    playPart(part, composition, scratch)
    treat(part, composition, scratch)
    addToBuses(part, scratch, ducking, buses)
  }
  applyEcho(buses.echo, (production.delayBeats * 60) / composition.tempo, production.delayFeedback)
  add(buses.room, buses.echo, 0.25)
  applyReverb(buses.room, production.reverbSeconds, production.reverbDampingHz)
  add(buses.mix, buses.echo, 1)
  add(buses.mix, buses.room, 0.5)
  master(buses.mix, production, composition.seed)
  return { sampleRate, left: buses.mix.left, right: buses.mix.right }
}

function add(target: Stereo, source: Stereo, gain: number): void {
  for (const side of ['left', 'right'] as const) {
    const to = target[side]
    const from = source[side]
    for (let index = 0; index < to.length; index++) to[index]! += from[index]! * gain
  }
}
