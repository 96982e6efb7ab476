// Mastering: tape, bus compression, level, limiter, fades.

import type { Production } from '../composition/compose-model.ts'
import { createRandom } from '../composition/compose-random.ts'
import { filterFixed } from './synth-filter.ts'
import { limit } from './synth-limiter.ts'
import { measureLoudness } from './synth-loudness.ts'
import { applyWow } from './synth-modulation.ts'
import { decibelsToGain, sampleRate, toSampleCount, scale, type Stereo } from './synth-stereo.ts'

/** True peaks stay below this level, because lossy encoders add up to half a decibel. */
const ceilingDb = -1.5

function setLoudness(stereo: Stereo, lufs: number): void {
  const loudness = measureLoudness(stereo)
  if (loudness === -Infinity) return
  const gain = decibelsToGain(lufs - loudness)
  scale(stereo.left, gain)
  scale(stereo.right, gain)
}

/** Saturation that compresses peaks and leaves quiet sound unchanged; slightly asymmetric, like tape. */
function saturate(buffer: Float32Array, driveDb: number): void {
  const drive = decibelsToGain(driveDb) * 1.1
  const bias = 0.06
  const rest = Math.tanh(bias)
  for (let index = 0; index < buffer.length; index++) {
    buffer[index] = (Math.tanh(buffer[index]! * drive + bias) - rest) / drive
  }
}

/** A shelf: adds more of the sound above the cutoff. */
function addAir(buffer: Float32Array, airDb: number): void {
  const top = filterFixed(buffer.slice(), 'highpass', 3200, 0.6)
  const gain = decibelsToGain(airDb) - 1
  for (let index = 0; index < buffer.length; index++) buffer[index]! += top[index]! * gain
}

/** A slow, gentle compressor over both channels: 2:1 above the threshold, measured by power. */
function glue({ left, right }: Stereo, thresholdDb: number): void {
  const block = 64
  const threshold = decibelsToGain(thresholdDb) ** 2
  const attack = 1 - Math.exp(-block / (0.03 * sampleRate))
  const release = 1 - Math.exp(-block / (0.25 * sampleRate))
  let power = 0
  let gain = 1
  for (let start = 0; start < left.length; start += block) {
    const end = Math.min(left.length, start + block)
    let sum = 0
    for (let index = start; index < end; index++) sum += left[index]! ** 2 + right[index]! ** 2
    const now = sum / block / 2
    power += (now - power) * (now > power ? attack : release)
    const goal = power > threshold ? (threshold / power) ** 0.25 : 1
    for (let index = start; index < end; index++) {
      const ramp = gain + ((goal - gain) * (index - start)) / block
      left[index]! *= ramp
      right[index]! *= ramp
    }
    gain = goal
  }
}

/** Crackle and hiss of a record, the same for every song with the same seed. */
function addCrackle({ left, right }: Stereo, peakDb: number, seed: number): void {
  const random = createRandom(seed, 'crackle')
  const peak = decibelsToGain(peakDb)
  const dust = new Float32Array(left.length)
  for (let index = 0; index < dust.length; index++) {
    const draw = random.next()
    dust[index] = (draw - 0.5) * 0.1
    if (draw < 0.00016) dust[index]! += random.range(-1, 1) ** 3 * 6
  }
  filterFixed(filterFixed(dust, 'highpass', 700), 'lowpass', 5200)
  const late = toSampleCount(0.0007)
  for (let index = 0; index < dust.length; index++) {
    left[index]! += dust[index]! * peak
    right[index]! += dust[Math.max(0, index - late)]! * peak
  }
}

function fade({ left, right }: Stereo, inSeconds: number, outSeconds: number): void {
  const rise = toSampleCount(inSeconds)
  const fall = toSampleCount(outSeconds)
  for (let index = 0; index < Math.min(rise, left.length); index++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * index) / rise)
    left[index]! *= gain
    right[index]! *= gain
  }
  for (let index = 0; index < Math.min(fall, left.length); index++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * index) / fall)
    left[left.length - 1 - index]! *= gain
    right[right.length - 1 - index]! *= gain
  }
}

/** Masters the mix in place. */
export function master(stereo: Stereo, production: Production, seed: number): void {
  // Normalize first, so that tape saturation and compressor have the same effect on every song.
  setLoudness(stereo, -18)
  for (const buffer of [stereo.left, stereo.right]) {
    filterFixed(buffer, 'highpass', 26)
    saturate(buffer, production.driveDb)
    addAir(buffer, production.airDb)
    filterFixed(buffer, 'lowpass', production.lowpassHz)
    filterFixed(buffer, 'highpass', 18)
  }
  applyWow(stereo, production.wowMilliseconds)
  glue(stereo, -19)
  if (production.crackleDb !== null) addCrackle(stereo, production.crackleDb, seed)
  setLoudness(stereo, production.loudnessLufs)
  limit(stereo, decibelsToGain(ceilingDb), 0.12)
  fade(stereo, 0.012, 2.2)
}
