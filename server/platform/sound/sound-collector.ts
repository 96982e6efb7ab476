// Computes the features and the fingerprint of a recording from streamed PCM. The only memory that grows with the length is one number for
// each 23 ms.
import { estimateKey } from './estimate-key.ts'
import { estimateTempo } from './estimate-tempo.ts'
import { FingerprintCollector } from './fingerprint-collector.ts'
import { bandCount, coefficientCount, MelBands } from './mel-bands.ts'
import { PitchClasses } from './pitch-classes.ts'
import { PowerSpectrum } from './power-spectrum.ts'
import { soundVectorLength, type SoundFeatures } from './sound-features.ts'

/** All recordings are compared at this rate, whatever rate they have. */
const sampleRate = 22_050
const frameSamples = 1024
const hopSamples = frameSamples / 2
const framesPerSecond = sampleRate / hopSamples
/** Mean square below which a frame is silence: -60 dBFS. Fades and pauses are not representative of the sound. */
const silentPower = 1e-6
const rolloffShare = 0.85
/**
 * Maximum that one band adds to the flux of a frame. Without it an onset between two frames would count many times as
 * much.
 */
const mostRise = 1
/** 13 coefficients, centroid, rolloff, flatness, flux. */
const measureCount = coefficientCount + 4

export class SoundCollector {
  private readonly ratio: number
  private left: number
  private partial = 0
  private readonly frame = new Float32Array(frameSamples)
  private filled = 0
  private readonly spectrum = new PowerSpectrum(frameSamples)
  private readonly mel = new MelBands(frameSamples / 2, sampleRate / frameSamples)
  private readonly pitches = new PitchClasses(sampleRate)
  private readonly fingerprint = new FingerprintCollector(sampleRate)
  private readonly before = new Float64Array(bandCount)
  private readonly values = new Float64Array(measureCount)
  private readonly sums = new Float64Array(measureCount)
  private readonly squares = new Float64Array(measureCount)
  private heardFrames = 0
  private onsets = new Float32Array(4096)
  private frames = 0
  private peak = 0
  private power = 0

  /** `sourceRate` is the sample rate of what `add` takes, at least 22,050 Hz. */
  constructor(sourceRate: number) {
    this.ratio = sourceRate / sampleRate
    this.left = this.ratio
  }

  /** Takes interleaved stereo. Each sample at 22,050 Hz is the mean of the source samples that it spans. */
  add(samples: Int16Array): void {
    const { ratio, frame } = this
    let { left, partial, filled } = this
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
      this.pitches.add(frame.subarray(hopSamples))
      this.fingerprint.add(frame.subarray(hopSamples))
      this.measureFrame()
      frame.copyWithin(0, hopSamples)
      filled = hopSamples
    }
    this.left = left
    this.partial = partial
    this.filled = filled
  }

  /** Null for silence, and for less than a few frames. */
  finish(): SoundFeatures | null {
    if (this.heardFrames < 4) return null
    const { heardFrames: count } = this
    const vector = new Float32Array(soundVectorLength)
    for (let i = 0; i < measureCount; i += 1) {
      const mean = this.sums[i]! / count
      vector[2 * i] = mean
      vector[2 * i + 1] = Math.sqrt(Math.max(0, this.squares[i]! / count - mean * mean))
    }
    const chroma = this.pitches.finish()
    const key = estimateKey(chroma)
    for (let step = 0; step < 12; step += 1) {
      vector[2 * measureCount + step] = chroma[((key?.key ?? 0) + step) % 12]!
    }
    const onsets = this.onsets.subarray(0, this.frames)
    vector[2 * measureCount + 12] = countOnsets(onsets) / (this.frames / framesPerSecond)
    const meanPower = this.power / (this.frames * frameSamples)
    vector[2 * measureCount + 13] = 10 * Math.log10((this.peak * this.peak) / meanPower)
    const tempo = estimateTempo(onsets, framesPerSecond)
    return {
      vector,
      tempo: tempo?.bpm ?? null,
      tempoConfidence: tempo?.confidence ?? 0,
      key: key?.key ?? null,
      isMinor: key?.isMinor ?? false,
      fingerprint: this.fingerprint.finish(),
    }
  }

  private measureFrame(): void {
    let power = 0
    let { peak } = this
    for (let i = 0; i < frameSamples; i += 1) {
      const value = this.frame[i]!
      power += value * value
      if (value > peak) peak = value
      else if (-value > peak) peak = -value
    }
    this.peak = peak
    this.power += power
    const isSilent = power < silentPower * frameSamples
    const flux = isSilent ? 0 : this.measureSpectrum()
    if (isSilent) this.before.fill(0)
    if (this.frames === this.onsets.length) {
      const larger = new Float32Array(2 * this.frames)
      larger.set(this.onsets)
      this.onsets = larger
    }
    this.onsets[this.frames] = flux
    this.frames += 1
  }

  private measureSpectrum(): number {
    const power = this.spectrum.measure(this.frame)
    const { mel, values, before } = this
    mel.measure(power)
    let flux = 0
    const hasBefore = before[0] !== 0
    for (let band = 0; band < bandCount; band += 1) {
      const energy = mel.logEnergies[band]!
      if (hasBefore) flux += Math.min(mostRise, Math.max(0, energy - before[band]!))
      before[band] = energy
    }
    flux /= bandCount
    values.set(mel.coefficients)
    measureBalance(power, values)
    values[coefficientCount + 2] = mel.flatness()
    values[coefficientCount + 3] = flux
    for (let i = 0; i < measureCount; i += 1) {
      const value = values[i]!
      this.sums[i]! += value
      this.squares[i]! += value * value
    }
    this.heardFrames += 1
    return flux
  }
}

/** Writes centroid and rolloff in octaves, because hearing is logarithmic. */
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

/** Local maxima clearly above the mean. */
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
