// Computes the acoustic fingerprint of a recording: 32 bits for each 93 ms of its first two minutes. A bit says whether
// the difference of two neighboring semitones rises or falls, after Haitsma and Kalker (2002). Gain, encoding and small
// shifts leave most bits as they are.
import { bandCount, encodeFingerprint, mostWords } from './fingerprint.ts'
import { PowerSpectrum } from './power-spectrum.ts'

const frameSamples = 4096
const hopSamples = frameSamples / 2
const lowestHertz = 310
/** Hops between the two frames that a bit compares, so that they don't overlap. */
const hopsBetween = 2
/** Mean square below which a frame is silence: -60 dBFS. Silence at the beginning is left out. */
const silentPower = 1e-6

export class FingerprintCollector {
  private readonly spectrum = new PowerSpectrum(frameSamples)
  private readonly frame = new Float32Array(frameSamples)
  private filled = 0
  private hasBegun = false
  private readonly bandOfBin: Int8Array
  private readonly earlier: Float64Array[] = []
  private readonly profile = new Float64Array(bandCount)
  private readonly words = new Uint32Array(mostWords)
  private count = 0

  constructor(sampleRate: number) {
    this.bandOfBin = Int8Array.from({ length: frameSamples / 2 }, (_, bin) => {
      const hertz = (bin * sampleRate) / frameSamples
      const band = Math.floor(12 * Math.log2(hertz / lowestHertz))
      return hertz >= lowestHertz && band < bandCount ? band : -1
    })
  }

  /** Half a frame is a multiple of the length of `samples`. */
  add(samples: Float32Array): void {
    if (this.count === mostWords) return
    const { frame } = this
    frame.set(samples, this.filled)
    this.filled += samples.length
    if (this.filled < frameSamples) return
    if (this.hasBegun || isHeard(frame)) this.addFrame(this.spectrum.measure(frame))
    frame.copyWithin(0, hopSamples)
    this.filled = hopSamples
  }

  /** Null if the recording is too short to be recognized. */
  finish(): Buffer | null {
    return encodeFingerprint(this.profile, this.words.subarray(0, this.count))
  }

  private addFrame(power: Float64Array): void {
    this.hasBegun = true
    const energies = new Float64Array(bandCount)
    for (let bin = 0; bin < power.length; bin += 1) {
      const band = this.bandOfBin[bin]!
      if (band >= 0) energies[band]! += power[bin]!
    }
    for (let band = 0; band < bandCount; band += 1) this.profile[band]! += energies[band]!
    this.earlier.push(energies)
    if (this.earlier.length <= hopsBetween) return
    const before = this.earlier.shift()!
    let word = 0
    for (let band = 0; band + 1 < bandCount; band += 1) {
      const change = energies[band]! - energies[band + 1]! - (before[band]! - before[band + 1]!)
      if (change > 0) word |= 1 << band
    }
    this.words[this.count] = word
    this.count += 1
  }
}

function isHeard(frame: Float32Array): boolean {
  let power = 0
  for (const value of frame) power += value * value
  return power > silentPower * frame.length
}
