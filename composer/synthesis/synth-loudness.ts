// Loudness by ITU-R BS.1770-4: K-weighting, blocks of 400 ms, two gates. Used to balance the parts by perceived
// loudness instead of peak, and to set the loudness of the finished song.

import { sampleRate, type Stereo } from './synth-stereo.ts'

type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number]

/**
 * The two K-weighting filters: the shelf that models the head, then the high-pass. Computed from the standard's
 * analog prototypes for this sample rate.
 */
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

/** K-weighted power, both channels summed, in blocks of `hop` samples. Only every `stride`th block is measured. */
function blockPowers({ left, right }: Stereo, hop: number, stride: number): number[] {
  const [b0, b1, b2, a1, a2] = shelf
  const [, , , c1, c2] = highpass
  const powers: number[] = []
  // Transposed direct form II: two state variables per filter; both channels in one loop, which is faster.
  let [l1, l2, l3, l4, r1, r2, r3, r4] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let start = 0; start + hop <= left.length; start += hop * stride) {
    let sum = 0
    for (let index = start; index < start + hop; index++) {
      const x = left[index]! + 1e-18
      const y = b0 * x + l1
      l1 = b1 * x - a1 * y + l2
      l2 = b2 * x - a2 * y
      const z = y + l3
      l3 = l4 - 2 * y - c1 * z
      l4 = y - c2 * z
      const u = right[index]! + 1e-18
      const v = b0 * u + r1
      r1 = b1 * u - a1 * v + r2
      r2 = b2 * u - a2 * v
      const w = v + r3
      r3 = r4 - 2 * v - c1 * w
      r4 = v - c2 * w
      sum += z * z + w * w
    }
    powers.push(sum / hop)
  }
  return powers
}

function toLufs(power: number): number {
  return power > 0 ? -0.691 + 10 * Math.log10(power) : -Infinity
}

function meanAbove(powers: readonly number[], gateLufs: number): number {
  const heard = powers.filter((power) => toLufs(power) > gateLufs)
  return heard.reduce((sum, power) => sum + power, 0) / Math.max(1, heard.length)
}

function gatedLoudness(blocks: readonly number[]): number {
  const gate = toLufs(meanAbove(blocks, -70)) - 10
  return toLufs(meanAbove(blocks, Math.max(-70, gate)))
}

/** Integrated loudness in LUFS of at least 0.4 s; -Infinity for silence. */
export function measureLoudness(stereo: Stereo): number {
  const powers = blockPowers(stereo, sampleRate / 10, 1)
  const blocks = powers
    .slice(3)
    .map((power, index) => (power + powers[index]! + powers[index + 1]! + powers[index + 2]!) / 4)
  return gatedLoudness(blocks)
}

/** Loudness while playing, from a third of the blocks: enough to balance the parts against each other. */
export function estimateLoudness(stereo: Stereo): number {
  return gatedLoudness(blockPowers(stereo, sampleRate / 10, 3))
}
