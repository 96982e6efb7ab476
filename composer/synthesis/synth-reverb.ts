// Reverb: a feedback delay network of eight lines (Jot), with all-pass filters at the input and damping on every
// pass. Slowly varies the lengths of the lines, so that no resonance is audible.

import { filterFixed } from './synth-filter.ts'
import { sampleRate, type Stereo } from './synth-stereo.ts'

const lineLengths = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797]
const lineSize = 4096
const blockSamples = 32

function smear(buffer: Float32Array, length: number, gain: number): void {
  const line = new Float32Array(length)
  let place = 0
  for (let index = 0; index < buffer.length; index++) {
    const held = line[place]!
    const input = buffer[index]! + held * gain
    buffer[index] = held - input * gain
    line[place] = input
    if (++place === length) place = 0
  }
}

/** Replaces the sound in `stereo` with its reverberation, in place. */
export function applyReverb(stereo: Stereo, decaySeconds: number, dampingHz: number): void {
  const { left, right } = stereo
  for (const [buffer, lengths] of [
    [left, [241, 431, 809]],
    [right, [263, 467, 773]],
  ] as const) {
    filterFixed(buffer, 'highpass', 170)
    for (const length of lengths) smear(buffer, length, 0.62)
  }
  runNetwork(left, right, decaySeconds, 1 - Math.exp((-2 * Math.PI * dampingHz) / sampleRate))
}

function runNetwork(
  left: Float32Array,
  right: Float32Array,
  decaySeconds: number,
  damping: number,
) {
  const lines = lineLengths.map(() => new Float32Array(lineSize))
  const gains = lineLengths.map((length) => 10 ** ((-3 * length) / (decaySeconds * sampleRate)))
  const lows = new Float64Array(8)
  const rounds = new Float64Array(8)
  const wholes = new Int32Array(8)
  const fractions = new Float64Array(8)
  for (let start = 0; start < left.length; start += blockSamples) {
    for (let line = 0; line < 8; line++) {
      const sway = Math.sin((2 * Math.PI * (0.31 + line * 0.07) * start) / sampleRate + line)
      const delay = lineLengths[line]! + 9 * sway
      wholes[line] = Math.floor(delay)
      fractions[line] = delay - wholes[line]!
    }
    const end = Math.min(left.length, start + blockSamples)
    for (let index = start; index < end; index++) {
      let sum = 0
      for (let line = 0; line < 8; line++) {
        const memory = lines[line]!
        const at = index - wholes[line]!
        const near = memory[at & (lineSize - 1)]!
        const sample = near + (memory[(at - 1) & (lineSize - 1)]! - near) * fractions[line]!
        const low = lows[line]! + (sample - lows[line]!) * damping
        lows[line] = low
        const round = low * gains[line]!
        rounds[line] = round
        sum += round
      }
      // A Householder reflection mixes all lines and preserves their energy. It needs only one sum.
      const shared = sum * 0.25
      const inLeft = left[index]! + 1e-18
      const inRight = right[index]! + 1e-18
      for (let line = 0; line < 8; line++) {
        const entry = (line & 1) === 0 ? inLeft : inRight
        lines[line]![index & (lineSize - 1)] = rounds[line]! - shared + entry
      }
      left[index] = (rounds[0]! - rounds[2]! + rounds[4]! - rounds[6]!) * 0.5 + rounds[3]! * 0.2
      right[index] = (rounds[1]! - rounds[3]! + rounds[5]! - rounds[7]!) * 0.5 + rounds[4]! * 0.2
    }
  }
}
