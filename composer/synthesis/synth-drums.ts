// Drums with a skin (kicks, snares, toms), claps and sticks. Each function makes one stroke with a peak of 1; `random`
// gives every stroke its own texture.

import type { Random } from '../composition/compose-random.ts'
import { filterFixed } from './synth-filter.ts'
import { addModes, softenOnset } from './synth-modes.ts'
import { finishSample, sampleRate, toSampleCount } from './synth-stereo.ts'

type Sweep = {
  fromHz: number
  toHz: number
  /** Time constants of the pitch drop and of the level. */
  sweepSeconds: number
  decaySeconds: number
  drive: number
}

/** A sine that falls in pitch: the body of kicks and toms. */
function sweepSine(buffer: Float32Array, sweep: Sweep): void {
  let phase = 0
  for (let index = 0; index < buffer.length; index++) {
    const time = index / sampleRate
    const hz = sweep.toHz + (sweep.fromHz - sweep.toHz) * Math.exp(-time / sweep.sweepSeconds)
    phase += (2 * Math.PI * hz) / sampleRate
    const level = Math.exp(-time / sweep.decaySeconds) * sweep.drive
    buffer[index]! += Math.tanh(Math.sin(phase) * level)
  }
}

/** Noise with an exponential decay from `level`. */
export function noise(seconds: number, decaySeconds: number, level: number, random: Random) {
  const buffer = new Float32Array(toSampleCount(seconds))
  const fall = Math.exp(-1 / (decaySeconds * sampleRate))
  let gain = level
  for (let index = 0; index < buffer.length; index++, gain *= fall) {
    buffer[index] = (random.next() * 2 - 1) * gain
  }
  return buffer
}

export function mixInto(buffer: Float32Array, other: Float32Array, offset = 0): Float32Array {
  const end = Math.min(buffer.length - offset, other.length)
  for (let index = 0; index < end; index++) buffer[offset + index]! += other[index]!
  return buffer
}

export function makeKick(sweep: Sweep, click: { level: number; hz: number }, random: Random) {
  const buffer = new Float32Array(toSampleCount(sweep.decaySeconds * 5))
  sweepSine(buffer, sweep)
  mixInto(buffer, filterFixed(noise(0.02, 0.0025, click.level, random), 'lowpass', click.hz))
  return finishSample(softenOnset(buffer, 0.0008), 0.06)
}

export function makeTom(ratio: number): Float32Array {
  const buffer = new Float32Array(toSampleCount(0.9))
  const toHz = 98 * ratio
  sweepSine(buffer, { fromHz: toHz * 1.7, toHz, sweepSeconds: 0.05, decaySeconds: 0.2, drive: 1.1 })
  return finishSample(softenOnset(buffer, 0.001), 0.1)
}

type Snare = {
  bodyHz: number
  bodyLevel: number
  bodySeconds: number
  noiseLowHz: number
  noiseHighHz: number
  noiseSeconds: number
  onsetSeconds: number
}

export function makeSnare(snare: Snare, random: Random): Float32Array {
  const seconds = Math.max(snare.noiseSeconds * 6, snare.bodySeconds)
  const rattle = noise(seconds, snare.noiseSeconds, 0.8, random)
  filterFixed(filterFixed(rattle, 'highpass', snare.noiseLowHz), 'lowpass', snare.noiseHighHz)
  const tune = 1 + random.spread(0.01)
  addModes(rattle, [
    { hz: snare.bodyHz * tune, amplitude: snare.bodyLevel, decaySeconds: snare.bodySeconds },
    {
      hz: snare.bodyHz * 1.78,
      amplitude: snare.bodyLevel * 0.5,
      decaySeconds: snare.bodySeconds * 0.7,
    },
  ])
  for (let index = 0; index < rattle.length; index++)
    rattle[index] = Math.tanh(rattle[index]! * 1.5)
  return finishSample(softenOnset(rattle, snare.onsetSeconds), 0.05)
}

type Hands = { bursts: readonly number[]; hz: number; decaySeconds: number; quality: number }

/** A clap or finger snap: bursts of noise a few milliseconds apart. */
export function makeHands(hands: Hands, random: Random): Float32Array {
  const buffer = new Float32Array(toSampleCount(hands.decaySeconds * 7 + 0.05))
  hands.bursts.forEach((seconds, index) => {
    const last = index === hands.bursts.length - 1
    const burst = noise(hands.decaySeconds * 6, last ? hands.decaySeconds : 0.004, 1, random)
    const late = Math.max(0, seconds + random.spread(0.0015))
    mixInto(buffer, burst, toSampleCount(late))
  })
  const bright = filterFixed(buffer.slice(), 'highpass', hands.hz * 2.2)
  filterFixed(buffer, 'bandpass', hands.hz, hands.quality)
  for (let index = 0; index < buffer.length; index++) buffer[index]! += bright[index]! * 0.12
  return finishSample(softenOnset(buffer, 0.001), 0.04)
}

export function makeRim(random: Random): Float32Array {
  const tune = 1 + random.spread(0.012)
  const buffer = addModes(new Float32Array(toSampleCount(0.16)), [
    { hz: 465 * tune, amplitude: 0.7, decaySeconds: 0.07 },
    { hz: 1120 * tune, amplitude: 0.6, decaySeconds: 0.06 },
    { hz: 1740 * tune, amplitude: 0.8, decaySeconds: 0.05 },
  ])
  mixInto(buffer, filterFixed(noise(0.01, 0.0015, 0.5, random), 'lowpass', 5000))
  return finishSample(softenOnset(buffer, 0.0007), 0.03)
}
