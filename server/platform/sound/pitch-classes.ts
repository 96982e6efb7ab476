// Measures the strength of each of the twelve pitch classes. Low notes are closer to each other than the bins of a
// short frame, so the frames here are longer.
import { createPowerSpectrum } from './power-spectrum.ts'

const frameSamples = 4096
const lowestHertz = 100
const highestHertz = 2000

export interface PitchClasses {
  /** Adds samples. Their number must divide the frame size. */
  add: (samples: Float32Array) => void
  /** Returns the strengths from C up, with the sum 1. All 0 for silence. */
  finish: () => Float64Array
}

export function createPitchClasses(sampleRate: number): PitchClasses {
  const spectrum = createPowerSpectrum(frameSamples)
  const frame = new Float32Array(frameSamples)
  let filled = 0
  const ofFrame = new Float64Array(12)
  const sums = new Float64Array(12)
  const classOfBin = Int8Array.from({ length: frameSamples / 2 }, (_, bin) => {
    const hertz = (bin * sampleRate) / frameSamples
    if (hertz < lowestHertz || hertz > highestHertz) return -1
    // A is 9 semitones above C.
    return (((Math.round(12 * Math.log2(hertz / 440)) + 9) % 12) + 12) % 12
  })

  /**
   * Uses only the peaks of the spectrum, because they are notes. Each frame has the same weight, regardless of its
   * loudness.
   */
  function measureFrame(): void {
    const power = spectrum.measure(frame)
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

  return {
    add(samples) {
      frame.set(samples, filled)
      filled += samples.length
      if (filled < frameSamples) return
      filled = 0
      measureFrame()
    },
    finish() {
      const total = sums.reduce((sum, value) => sum + value, 0)
      return total > 0 ? sums.map((value) => value / total) : sums.slice()
    },
  }
}
