// Struck sounds as the sum of their vibration modes. Each mode is a decaying sine, computed by a two-pole resonator
// with two multiplications per sample.

import { sampleRate, toSampleCount } from './synth-stereo.ts'

export type VibrationMode = {
  hz: number
  amplitude: number
  /** Seconds until the mode has decayed by 60 dB. */
  decaySeconds: number
}

/** Adds the modes to `buffer`, starting at sample 0. Skips inaudible ones. */
export function addModes(buffer: Float32Array, modes: readonly VibrationMode[]): Float32Array {
  for (const { hz, amplitude, decaySeconds } of modes) {
    if (hz > sampleRate * 0.42) continue
    const radius = 10 ** (-3 / (decaySeconds * sampleRate))
    const angle = (2 * Math.PI * hz) / sampleRate
    const feedback = 2 * radius * Math.cos(angle)
    const square = radius * radius
    const end = Math.min(buffer.length, toSampleCount(decaySeconds * 1.35))
    let older = 0
    let old = amplitude * radius * Math.sin(angle)
    for (let index = 1; index < end; index++) {
      buffer[index]! += old
      const next = feedback * old - square * older
      older = old
      old = next
    }
  }
  return buffer
}

/** Softens the onset: a raised-cosine rise over `seconds`. */
export function softenOnset(buffer: Float32Array, seconds: number): Float32Array {
  const rise = Math.min(buffer.length, toSampleCount(seconds))
  for (let index = 0; index < rise; index++) {
    buffer[index]! *= 0.5 - 0.5 * Math.cos((Math.PI * index) / rise)
  }
  return buffer
}
