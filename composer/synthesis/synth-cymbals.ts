// Metallic and shaken percussion: hats, ride, crash, tambourine, shaker, and the riser's wind.

import type { Random } from '../composition/compose-random.ts'
import { noise } from './synth-drums.ts'
import { filterFixed, filterMoving } from './synth-filter.ts'
import { addModes, softenOnset } from './synth-modes.ts'
import { finishSample, toSampleCount } from './synth-stereo.ts'

type Metal = { lowHz: number; highHz: number; count: number; seconds: number; level: number }

/** Adds many inharmonic vibration modes, like those of a bronze plate. */
function addMetal(buffer: Float32Array, metal: Metal, random: Random): Float32Array {
  const modes = Array.from({ length: metal.count }, () => ({
    hz: metal.lowHz * (metal.highHz / metal.lowHz) ** random.next(),
    amplitude: (metal.level * random.range(0.4, 1)) / Math.sqrt(metal.count),
    decaySeconds: metal.seconds * random.range(0.5, 1.2),
  }))
  return addModes(buffer, modes)
}

export function makeHat(decaySeconds: number, lowHz: number, highHz: number, random: Random) {
  const buffer = noise(decaySeconds * 6, decaySeconds, 0.7, random)
  const seconds = decaySeconds * 5
  addMetal(buffer, { lowHz: 4200, highHz: 11500, count: 14, seconds, level: 0.9 }, random)
  filterFixed(filterFixed(buffer, 'highpass', lowHz), 'lowpass', highHz)
  return finishSample(softenOnset(buffer, 0.0012), decaySeconds)
}

export function makeRide(random: Random): Float32Array {
  const buffer = noise(1.6, 0.05, 0.3, random)
  addMetal(buffer, { lowHz: 2600, highHz: 9500, count: 26, seconds: 1.5, level: 0.8 }, random)
  addModes(buffer, [{ hz: 3150, amplitude: 0.22, decaySeconds: 0.7 }])
  filterFixed(filterFixed(buffer, 'highpass', 2400), 'lowpass', 10500)
  return finishSample(softenOnset(buffer, 0.002), 0.5)
}

export function makeCrash(random: Random): Float32Array {
  const buffer = noise(3.2, 0.55, 0.8, random)
  addMetal(buffer, { lowHz: 1400, highHz: 10500, count: 34, seconds: 2.4, level: 0.7 }, random)
  filterFixed(filterFixed(buffer, 'highpass', 1500), 'lowpass', 9500)
  return finishSample(softenOnset(buffer, 0.004), 1.2)
}

export function makeTambourine(random: Random): Float32Array {
  const buffer = noise(0.4, 0.035, 0.5, random)
  addMetal(buffer, { lowHz: 5200, highHz: 11500, count: 16, seconds: 0.3, level: 1 }, random)
  filterFixed(filterFixed(buffer, 'highpass', 4500), 'lowpass', 12000)
  return finishSample(softenOnset(buffer, 0.004), 0.1)
}

export function makeShaker(random: Random): Float32Array {
  const buffer = noise(0.22, 0.032, 1, random)
  filterFixed(filterFixed(buffer, 'highpass', 4200), 'lowpass', 9000)
  return finishSample(softenOnset(buffer, 0.014), 0.06)
}

/** Noise that rises in pitch and volume for `seconds` and then stops. */
export function makeRiser(seconds: number, random: Random): Float32Array {
  const buffer = noise(seconds, 1e6, 1, random)
  const length = buffer.length
  filterMoving(buffer, (index) => 300 * 30 ** (index / length), 1.6)
  filterFixed(buffer, 'highpass', 250)
  for (let index = 0; index < length; index++) buffer[index]! *= (index / length) ** 2
  return finishSample(buffer, Math.min(0.05, toSampleCount(seconds)))
}
