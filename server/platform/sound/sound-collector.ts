// Computes the features and the fingerprint of a recording from streamed PCM. Memory use grows only by one number per
// 23 ms of sound.
import { estimateKey } from './estimate-key.ts'
import { estimateTempo } from './estimate-tempo.ts'
import { createFingerprintCollector } from './fingerprint-collector.ts'
import { melBandCount, coefficientCount, createMelBands } from './mel-bands.ts'
import { createPitchClasses } from './pitch-classes.ts'
import { createPowerSpectrum } from './power-spectrum.ts'
import { soundVectorLength, type SoundFeatures } from './sound-features.ts'

/** All recordings are resampled to this rate before they are compared. */
const sampleRate = 22_050
const frameSamples = 1024
const hopSamples = frameSamples / 2
const framesPerSecond = sampleRate / hopSamples
/**
 * A frame with a lower mean square (-60 dBFS) is silent and not counted, because fades and pauses are not
 * representative.
 */
const silentPower = 1e-6
const rolloffShare = 0.85
/**
 * Maximum that one band adds to the spectral flux of a frame. Without it, an onset between two frames would count
 * many times as much.
 */
const maxRise = 1
/** 13 cepstral coefficients, centroid, rolloff, flatness and flux. */
const measureCount = coefficientCount + 4

export interface SoundCollector {
  /** Adds interleaved stereo samples. Each sample at 22,050 Hz is the mean of the source samples that it covers. */
  add: (samples: Int16Array) => void
  /** Returns null for silence, and for fewer than four frames. */
  finish: () => SoundFeatures | null
}

/** `sourceRate` is the sample rate of the input of `add`, at least 22,050 Hz. */
export function createSoundCollector(sourceRate: number): SoundCollector {
  const ratio = sourceRate / sampleRate
  let left = ratio
  let partial = 0
  const frame = new Float32Array(frameSamples)
  let filled = 0
  const pitches = createPitchClasses(sampleRate)
  const fingerprint = createFingerprintCollector(sampleRate)
  const spectra = createSpectrumStatistics()
  const levels = createLevelStatistics()

  function measureFrame(): void {
    pitches.add(frame.subarray(hopSamples))
    fingerprint.add(frame.subarray(hopSamples))
    const isSilent = levels.measure(frame) < silentPower * frameSamples
    levels.addOnset(isSilent ? spectra.skipSilence() : spectra.measure(frame))
  }

  return {
    add(samples) {
      for (let i = 0; i + 1 < samples.length; i += 2) {
        const value = (samples[i]! + samples[i + 1]!) / 65_536
        if (left > 1) {
          partial += value
          left -= 1
          continue
        }
        frame[filled] = (partial + value * left) / ratio
        filled += 1
        partial = value * (1 - left)
        left += ratio - 1
        if (filled < frameSamples) continue
        measureFrame()
        frame.copyWithin(0, hopSamples)
        filled = hopSamples
      }
    },
    finish() {
      const vector = new Float32Array(soundVectorLength)
      if (!spectra.writeTo(vector)) return null
      const chroma = pitches.finish()
      const key = estimateKey(chroma)
      for (let step = 0; step < 12; step += 1) {
        vector[2 * measureCount + step] = chroma[((key?.key ?? 0) + step) % 12]!
      }
      const { onsets, crestDecibels } = levels.finish()
      vector[2 * measureCount + 12] = countOnsets(onsets) / (onsets.length / framesPerSecond)
      vector[2 * measureCount + 13] = crestDecibels
      const tempo = estimateTempo(onsets, framesPerSecond)
      return {
        vector,
        tempo: tempo?.bpm ?? null,
        tempoConfidence: tempo?.confidence ?? 0,
        key: key?.key ?? null,
        isMinor: key?.isMinor ?? false,
        fingerprint: fingerprint.finish(),
      }
    },
  }
}

/** Collects peak and power of all frames, and the onset strength of each frame. */
function createLevelStatistics() {
  let onsets = new Float32Array(4096)
  let frames = 0
  let peak = 0
  let totalPower = 0
  return {
    /** Adds a frame and returns its power. */
    measure(frame: Float32Array): number {
      let power = 0
      for (let i = 0; i < frameSamples; i += 1) {
        const value = frame[i]!
        power += value * value
        if (value > peak) peak = value
        else if (-value > peak) peak = -value
      }
      totalPower += power
      return power
    },
    addOnset(flux: number): void {
      if (frames === onsets.length) {
        const larger = new Float32Array(2 * frames)
        larger.set(onsets)
        onsets = larger
      }
      onsets[frames] = flux
      frames += 1
    },
    finish() {
      const meanPower = totalPower / (frames * frameSamples)
      return {
        onsets: onsets.subarray(0, frames),
        crestDecibels: 10 * Math.log10((peak * peak) / meanPower),
      }
    },
  }
}

/** Collects mean and deviation of the measures of all frames that are not silent. */
function createSpectrumStatistics() {
  const spectrum = createPowerSpectrum(frameSamples)
  const mel = createMelBands(frameSamples / 2, sampleRate / frameSamples)
  const before = new Float64Array(melBandCount)
  const values = new Float64Array(measureCount)
  const sums = new Float64Array(measureCount)
  const squares = new Float64Array(measureCount)
  let count = 0

  /** Returns how much the bands increase compared with the previous frame. */
  function measureFlux(): number {
    let flux = 0
    const hasBefore = before[0] !== 0
    for (let band = 0; band < melBandCount; band += 1) {
      const energy = mel.logEnergies[band]!
      if (hasBefore) flux += Math.min(maxRise, Math.max(0, energy - before[band]!))
      before[band] = energy
    }
    return flux / melBandCount
  }

  return {
    /** Skips a silent frame and returns its flux. */
    skipSilence(): number {
      before.fill(0)
      return 0
    },
    /** Adds a frame and returns its flux. */
    measure(frame: Float32Array): number {
      const power = spectrum.measure(frame)
      mel.measure(power)
      const flux = measureFlux()
      values.set(mel.coefficients)
      measureBalance(power, values)
      values[coefficientCount + 2] = mel.flatness()
      values[coefficientCount + 3] = flux
      for (let i = 0; i < measureCount; i += 1) {
        const value = values[i]!
        sums[i]! += value
        squares[i]! += value * value
      }
      count += 1
      return flux
    },
    /** Writes the statistics. Returns false for too few frames. */
    writeTo(vector: Float32Array): boolean {
      if (count < 4) return false
      for (let i = 0; i < measureCount; i += 1) {
        const mean = sums[i]! / count
        vector[2 * i] = mean
        vector[2 * i + 1] = Math.sqrt(Math.max(0, squares[i]! / count - mean * mean))
      }
      return true
    },
  }
}

/** Measures centroid and rolloff in octaves, because hearing is logarithmic. */
function measureBalance(power: Float64Array, values: Float64Array): void {
  let total = 0
  let weighted = 0
  for (let bin = 1; bin < power.length; bin += 1) {
    total += power[bin]!
    weighted += power[bin]! * bin
  }
  let below = 0
  let bin = 1
  while (bin < power.length - 1 && below + power[bin]! < rolloffShare * total) {
    below += power[bin]!
    bin += 1
  }
  values[coefficientCount] = total > 0 ? Math.log2(weighted / total) : 0
  values[coefficientCount + 1] = Math.log2(bin)
}

/** Counts the local maxima clearly above the mean. */
function countOnsets(onsets: Float32Array): number {
  let sum = 0
  let squares = 0
  for (const value of onsets) {
    sum += value
    squares += value * value
  }
  const mean = sum / onsets.length
  const threshold = mean + Math.sqrt(Math.max(0, squares / onsets.length - mean * mean))
  let count = 0
  for (let i = 1; i + 1 < onsets.length; i += 1) {
    const value = onsets[i]!
    if (value > threshold && value > onsets[i - 1]! && value >= onsets[i + 1]!) count += 1
  }
  return count
}
