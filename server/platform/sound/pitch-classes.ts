// How strong each of the twelve pitch classes is. Low notes are closer to each other than the bins of a short frame, so
// frames are longer here.
import { PowerSpectrum } from './power-spectrum.ts'

const frameSamples = 4096
const lowestHertz = 100
const highestHertz = 2000

export class PitchClasses {
  private readonly spectrum = new PowerSpectrum(frameSamples)
  private readonly frame = new Float32Array(frameSamples)
  private filled = 0
  private readonly classOfBin: Int8Array
  private readonly ofFrame = new Float64Array(12)
  private readonly sums = new Float64Array(12)

  constructor(sampleRate: number) {
    this.classOfBin = Int8Array.from({ length: frameSamples / 2 }, (_, bin) => {
      const hertz = (bin * sampleRate) / frameSamples
      if (hertz < lowestHertz || hertz > highestHertz) return -1
      // A is 9 semitones above C.
      return (((Math.round(12 * Math.log2(hertz / 440)) + 9) % 12) + 12) % 12
    })
  }

  /** `frameSamples` is a multiple of the length of `samples`. */
  add(samples: Float32Array): void {
    this.frame.set(samples, this.filled)
    this.filled += samples.length
    if (this.filled < frameSamples) return
    this.filled = 0
    this.measureFrame()
  }

  /** From C up; the sum is 1. All 0 for silence. */
  finish(): Float64Array {
    const total = this.sums.reduce((sum, value) => sum + value, 0)
    return total > 0 ? this.sums.map((value) => value / total) : this.sums.slice()
  }

  /** Only peaks of the spectrum are notes. Each frame counts the same, however loud it is. */
  private measureFrame(): void {
    const power = this.spectrum.measure(this.frame)
    const { classOfBin, ofFrame, sums } = this
    ofFrame.fill(0)
    let total = 0
    for (let bin = 1; bin + 1 < power.length; bin += 1) {
      const pitch = classOfBin[bin]!
      if (pitch < 0 || power[bin]! < power[bin - 1]! || power[bin]! < power[bin + 1]!) continue
      const strength = Math.sqrt(power[bin]!)
      ofFrame[pitch]! += strength
      total += strength
    }
    if (total < 0.1) return
    for (let pitch = 0; pitch < 12; pitch += 1) sums[pitch]! += ofFrame[pitch]! / total
  }
}
