// Computes the acoustic fingerprint of a recording: 32 bits for each 93 ms of its first two minutes. A bit tells
// whether the difference between two neighboring semitones increases or decreases (Haitsma and Kalker, 2002). Gain,
// encoding and small shifts change only a few bits.
import { fingerprintBandCount, encodeFingerprint, maxWords } from './fingerprint.ts'
import { createPowerSpectrum } from './power-spectrum.ts'

const frameSamples = 4096
const hopSamples = frameSamples / 2
const lowestHertz = 310
/** Number of hops between two compared frames, so that they don't overlap. */
const hopsBetween = 2
/** A frame with a lower mean square (-60 dBFS) is silent. Silence at the beginning is skipped. */
const silentPower = 1e-6

export interface FingerprintCollector {
  /** Adds samples. Their number must divide half the frame size. */
  add: (samples: Float32Array) => void
  /** Returns null if the recording is too short to be recognized. */
  finish: () => Buffer | null
}

export function createFingerprintCollector(sampleRate: number): FingerprintCollector {
  const spectrum = createPowerSpectrum(frameSamples)
  const frame = new Float32Array(frameSamples)
  let filled = 0
  let hasBegun = false
  const earlier: Float64Array[] = []
  const profile = new Float64Array(fingerprintBandCount)
  const words = new Uint32Array(maxWords)
  let count = 0
  const bandOfBin = Int8Array.from({ length: frameSamples / 2 }, (_, bin) => {
    const hertz = (bin * sampleRate) / frameSamples
    const band = Math.floor(12 * Math.log2(hertz / lowestHertz))
    return hertz >= lowestHertz && band < fingerprintBandCount ? band : -1
  })

  function addFrame(power: Float64Array): void {
    hasBegun = true
    const energies = new Float64Array(fingerprintBandCount)
    for (let bin = 0; bin < power.length; bin += 1) {
      const band = bandOfBin[bin]!
      if (band >= 0) energies[band]! += power[bin]!
    }
    for (let band = 0; band < fingerprintBandCount; band += 1) profile[band]! += energies[band]!
    earlier.push(energies)
    if (earlier.length <= hopsBetween) return
    const before = earlier.shift()!
    let word = 0
    for (let band = 0; band + 1 < fingerprintBandCount; band += 1) {
      const change = energies[band]! - energies[band + 1]! - (before[band]! - before[band + 1]!)
      if (change > 0) word |= 1 << band
    }
    words[count] = word
    count += 1
  }

  return {
    add(samples) {
      if (count === maxWords) return
      frame.set(samples, filled)
      filled += samples.length
      if (filled < frameSamples) return
      if (hasBegun || !isSilent(frame)) addFrame(spectrum.measure(frame))
      frame.copyWithin(0, hopSamples)
      filled = hopSamples
    },
    finish: () => encodeFingerprint(profile, words.subarray(0, count)),
  }
}

function isSilent(frame: Float32Array): boolean {
  let power = 0
  for (const value of frame) power += value * value
  return power <= silentPower * frame.length
}
