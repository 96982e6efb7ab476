// Filters, all in place. State-variable filters after Zavalishin (The Art of VA Filter Design): stable and click-free
// while their cutoff moves.

import { sampleRate } from './synth-stereo.ts'

export type FilterKind = 'lowpass' | 'bandpass' | 'highpass'

/** tan(pi f / fs), the cutoff as the filter equations need it. `hz` is clamped below the Nyquist frequency. */
function prewarp(hz: number): number {
  return Math.tan((Math.PI * Math.min(hz, sampleRate * 0.45)) / sampleRate)
}

/** Filters `buffer` at a fixed cutoff; `resonance` is the quality factor, 0.707 is flat. */
export function filterFixed(
  buffer: Float32Array,
  kind: FilterKind,
  hz: number,
  resonance = Math.SQRT1_2,
): Float32Array {
  const g = prewarp(hz)
  const k = 1 / resonance
  const a1 = 1 / (1 + g * (g + k))
  const a2 = g * a1
  const a3 = g * a2
  let s1 = 0
  let s2 = 0
  for (let index = 0; index < buffer.length; index++) {
    const input = buffer[index]! + 1e-18
    const v3 = input - s2
    const v1 = a1 * s1 + a2 * v3
    const v2 = s2 + a2 * s1 + a3 * v3
    s1 = 2 * v1 - s1
    s2 = 2 * v2 - s2
    buffer[index] = kind === 'lowpass' ? v2 : kind === 'bandpass' ? k * v1 : input - k * v1 - v2
  }
  return buffer
}

/** Number of samples that share one cutoff in a moving filter: 0.7 ms, far below what is audible. */
const controlSamples = 32

/** A low-pass filter. `cutoff` returns the frequency in Hz for a sample index and is called once per 32 samples. */
export function filterMoving(
  buffer: Float32Array,
  cornerAt: (index: number) => number,
  resonance = Math.SQRT1_2,
): void {
  const k = 1 / resonance
  let s1 = 0
  let s2 = 0
  for (let start = 0; start < buffer.length; start += controlSamples) {
    const end = Math.min(buffer.length, start + controlSamples)
    const g = prewarp(cornerAt(start))
    const a1 = 1 / (1 + g * (g + k))
    const a2 = g * a1
    const a3 = g * a2
    for (let index = start; index < end; index++) {
      const v3 = buffer[index]! + 1e-18 - s2
      const v1 = a1 * s1 + a2 * v3
      const v2 = s2 + a2 * s1 + a3 * v3
      s1 = 2 * v1 - s1
      s2 = 2 * v2 - s2
      buffer[index] = v2
    }
  }
}
