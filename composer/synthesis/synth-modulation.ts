// Modulation effects: chorus, auto-pan, rotating speaker, and tape speed variation.

import type { Composition } from '../composition/compose-model.ts'
import { filterFixed } from './synth-filter.ts'
import { sampleRate, type Stereo } from './synth-stereo.ts'

const controlSamples = 64

/**
 * Reads `buffer` through a delay in samples that is computed every 64 samples and interpolated in between. Works in
 * place, so the delay must stay above 1.
 */
function delayMoving(
  buffer: Float32Array,
  dry: number,
  delayAt: (seconds: number) => number,
): void {
  const size = 4096
  const line = new Float32Array(size)
  let delay = delayAt(0)
  for (let start = 0; start < buffer.length; start += controlSamples) {
    const end = Math.min(buffer.length, start + controlSamples)
    const step = (delayAt(end / sampleRate) - delay) / (end - start)
    for (let index = start; index < end; index++) {
      const input = buffer[index]!
      line[index & (size - 1)] = input
      delay += step
      const whole = delay | 0
      const fraction = delay - whole
      const near = line[(index - whole) & (size - 1)]!
      const far = line[(index - whole - 1) & (size - 1)]!
      buffer[index] = input * dry + near + (far - near) * fraction
    }
  }
}

function wave(hz: number, phase: number) {
  return (seconds: number) => Math.sin(2 * Math.PI * (hz * seconds + phase))
}

/** A slow stereo chorus that keeps the loudness. */
export function applyChorus({ left, right }: Stereo): void {
  for (const [buffer, phase] of [
    [left, 0],
    [right, 0.25],
  ] as const) {
    const slow = wave(0.43, phase)
    const fast = wave(0.71, phase + 0.3)
    delayMoving(buffer, 0.9, (seconds) => 560 + 95 * slow(seconds) + 40 * fast(seconds))
    for (let index = 0; index < buffer.length; index++) buffer[index]! *= 0.72
  }
}

/** The stereo tremolo of an electric piano. */
export function applyAutoPan({ left, right }: Stereo, hz: number, depth: number): void {
  for (let start = 0; start < left.length; start += controlSamples) {
    const end = Math.min(left.length, start + controlSamples)
    const sway = Math.sin((2 * Math.PI * hz * start) / sampleRate)
    const next = Math.sin((2 * Math.PI * hz * end) / sampleRate)
    for (let index = start; index < end; index++) {
      const now = sway + ((next - sway) * (index - start)) / (end - start)
      left[index]! *= 1 - depth * 0.5 + depth * 0.5 * now
      right[index]! *= 1 - depth * 0.5 - depth * 0.5 * now
    }
  }
}

/**
 * The accumulated turns of the speaker's horn at each time step: slow, fast in choruses, with the inertia of a motor.
 */
function turnsPerSecond(composition: Composition, seconds: number): Float64Array {
  const stepsPerSecond = 50
  const turns = new Float64Array(Math.ceil(seconds * stepsPerSecond) + 2)
  let hz = 0.8
  for (let step = 1; step < turns.length; step++) {
    const beat = ((step / stepsPerSecond) * composition.tempo) / 60
    const section = composition.sections.findLast(({ startBeat }) => startBeat <= beat)
    hz += ((section?.name === 'chorus' ? 5.9 : 0.8) - hz) * 0.018
    turns[step] = turns[step - 1]! + hz / stepsPerSecond
  }
  return turns
}

/**
 * The rotating speaker of an organ: pitch and level vary as the horn turns, in opposite directions in the two
 * channels.
 */
export function applyRotor(stereo: Stereo, composition: Composition): void {
  const turns = turnsPerSecond(composition, stereo.left.length / sampleRate)
  const angleAt = (seconds: number) => {
    const place = seconds * 50
    const step = Math.min(turns.length - 2, Math.floor(place))
    return 2 * Math.PI * (turns[step]! + (turns[step + 1]! - turns[step]!) * (place - step))
  }
  for (const [buffer, side] of [
    [stereo.left, 0],
    [stereo.right, 2.2],
  ] as const) {
    delayMoving(buffer, 0, (seconds) => 30 + 13 * Math.sin(angleAt(seconds) + side))
    let before = 1
    for (let start = 0; start < buffer.length; start += controlSamples) {
      const end = Math.min(buffer.length, start + controlSamples)
      const next = 0.82 + 0.18 * Math.cos(angleAt(end / sampleRate) + side)
      for (let index = start; index < end; index++) {
        buffer[index]! *= before + ((next - before) * (index - start)) / (end - start)
      }
      before = next
    }
    filterFixed(buffer, 'lowpass', 6500)
  }
}

/** Wow and flutter: the speed variation of a tape, over the whole song. */
export function applyWow({ left, right }: Stereo, milliseconds: number): void {
  if (milliseconds === 0) return
  const depth = (milliseconds / 1000) * sampleRate
  const slow = wave(0.47, 0)
  const drift = wave(0.13, 0.4)
  const flutter = wave(6.1, 0.2)
  const delayAt = (seconds: number) =>
    depth * (2 + 0.7 * slow(seconds) + 0.5 * drift(seconds) + 0.018 * flutter(seconds)) + 2
  for (const buffer of [left, right]) delayMoving(buffer, 0, delayAt)
}
