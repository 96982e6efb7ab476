// A physical model of an electric piano: a tine swings as a plain sine, and the pickup next to it distorts that sine
// more the further it swings. Hard notes start bright and mellow as they fade.

import type { Random } from '../composition/compose-random.ts'
import { addModes, softenOnset } from './synth-modes.ts'
import { finishSample, toSampleCount } from './synth-stereo.ts'

/** Distance of the pickup from the tine's rest position; the asymmetry creates the even harmonics. */
const pickupOffset = 0.42

function pickup(swing: number): number {
  return swing / Math.sqrt(1 + swing * swing * swing * swing)
}

export function makeElectricPiano(hz: number, hardness: number, random: Random): Float32Array {
  const seconds = Math.min(4.2, 5.5 * (110 / hz) ** 0.4)
  const swing = (0.55 + hardness * 0.95) * (200 / (hz + 120)) ** 0.25
  const buffer = new Float32Array(toSampleCount(seconds))
  addModes(buffer, [
    { hz, amplitude: swing * 0.75, decaySeconds: seconds * 1.5 },
    { hz: hz * 1.0004, amplitude: swing * 0.25, decaySeconds: seconds * 0.6 },
    // The second vibration mode of the tine, audible in the attack.
    { hz: hz * 6.27, amplitude: 0.05 + 0.1 * hardness, decaySeconds: 0.5 * (262 / hz) ** 0.5 },
    { hz: hz * 17.5, amplitude: 0.015 * hardness, decaySeconds: 0.12 },
  ])
  const rest = pickup(pickupOffset)
  for (let index = 0; index < buffer.length; index++) {
    buffer[index] = pickup(buffer[index]! + pickupOffset) - rest
  }
  // Noise of the hammer's felt and of the key.
  addModes(buffer, [
    { hz: 95 + random.range(0, 30), amplitude: 0.05, decaySeconds: 0.08 },
    { hz: 310 + random.range(0, 60), amplitude: 0.03, decaySeconds: 0.05 },
  ])
  return finishSample(softenOnset(buffer, 0.0022), 0.3)
}
