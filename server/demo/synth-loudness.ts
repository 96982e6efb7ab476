// Loudness as ITU-R BS.1770-4 measures it: K-weighting, blocks of 400 ms, two gates. Used to balance
// the parts by ear's measure instead of by peak, and to give the finished song its level.

import { sampleRate, type Stereo } from './synth-stereo.ts'

type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number]

/** The shelf of the head, then the high-pass; the standard's analogue prototypes at this rate. */
const [shelf, highpass] = designKWeighting()

function designKWeighting(): [Biquad, Biquad] {
  const kShelf = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const qShelf = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + kShelf / qShelf + kShelf * kShelf
  const shelving: Biquad = [
    (high + (band * kShelf) / qShelf + kShelf * kShelf) / a0,
    (2 * (kShelf * kShelf - high)) / a0,
    (high - (band * kShelf) / qShelf + kShelf * kShelf) / a0,
    (2 * (kShelf * kShelf - 1)) / a0,
    (1 - kShelf / qShelf + kShelf * kShelf) / a0,
  ]
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const q = 0.5003270373238773
  const b0 = 1 + k / q + k * k
  return [shelving, [1, -2, 1, (2 * (k * k - 1)) / b0, (1 - k / q + k * k) / b0]]
}

/** Adds the K-weighted power of each block of `hop` samples to `powers`. */
function addPowers(buffer: Float32Array, hop: number, powers: Float64Array): void {
  const [b0, b1, b2, a1, a2] = shelf
  const [, , , c1, c2] = highpass
  let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0]
  for (let block = 0; block < powers.length; block++) {
    const end = Math.min(buffer.length, (block + 1) * hop)
    let sum = 0
    for (let index = block * hop; index < end; index++) {
      const x = buffer[index]! + 1e-18
      const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      const z = y - 2 * y1 + y2 - c1 * z1 - c2 * z2
      x2 = x1
      x1 = x
      y2 = y1
      y1 = y
      z2 = z1
      z1 = z
      sum += z * z
    }
    powers[block]! += sum / hop
  }
}

function toLufs(power: number): number {
  return power > 0 ? -0.691 + 10 * Math.log10(power) : -Infinity
}

function meanAbove(powers: readonly number[], gateLufs: number): number {
  const heard = powers.filter((power) => toLufs(power) > gateLufs)
  return heard.reduce((sum, power) => sum + power, 0) / Math.max(1, heard.length)
}

/** Integrated loudness in LUFS; -Infinity for silence. */
export function measureLoudness({ left, right }: Stereo): number {
  const hop = sampleRate / 10
  const powers = new Float64Array(Math.max(1, Math.floor(left.length / hop)))
  addPowers(left, hop, powers)
  addPowers(right, hop, powers)
  const blocks: number[] = []
  for (let block = 0; block + 4 <= powers.length; block++) {
    blocks.push((powers[block]! + powers[block + 1]! + powers[block + 2]! + powers[block + 3]!) / 4)
  }
  if (blocks.length === 0) blocks.push(powers[0]!)
  const gate = toLufs(meanAbove(blocks, -70)) - 10
  return toLufs(meanAbove(blocks, Math.max(-70, gate)))
}
