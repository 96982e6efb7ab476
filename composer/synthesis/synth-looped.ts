// Sustained sounds (pads, strings, choirs, organ) as long seamless loops, after Nasca Octavian Paul's PADsynth: every
// harmonic is a narrow band of noise instead of a line, which sounds like an ensemble.

import type { LoopedInstrument } from '../composition/compose-model.ts'
import { createRandom, type Random } from '../composition/compose-random.ts'
import { inverseReal } from './synth-fourier.ts'
import { pitchToHz, sampleRate, scale } from './synth-stereo.ts'
import { sineTable, tableSize } from './synth-waveforms.ts'

/** 3 s: long enough that the repetition is inaudible. */
export const loopSize = 1 << 17

type Timbre = {
  /** Amplitude of the harmonic at `hz`. */
  amplitude: (harmonic: number, hz: number) => number
  /** Width of the first harmonic's band; higher ones widen in proportion to their frequency. */
  widthCents: number
  /** The spectrum starts at this fraction of the pitch: 0.5 for an organ's 16-foot stop. */
  base?: number
  attackSeconds: number
  releaseSeconds: number
}

type Formant = readonly [hz: number, gain: number, widthHz: number]

/** A singing voice: the falling spectrum of the vocal cords, filtered by the resonances of the mouth. */
function sing(formants: readonly Formant[]) {
  return (harmonic: number, hz: number) => {
    const mouth = formants.reduce(
      (sum, [center, gain, width]) => sum + gain / (1 + ((hz - center) / width) ** 2),
      0.015,
    )
    return mouth / harmonic ** 0.7
  }
}

function rollOff(hz: number, corner: number, order: number): number {
  return 1 / (1 + (hz / corner) ** order)
}

const drawbars: Record<number, number> = {
  1: 0.7,
  2: 1,
  3: 0.55,
  4: 0.6,
  6: 0.3,
  8: 0.26,
  12: 0.1,
  16: 0.14,
}

const timbres: Record<LoopedInstrument, Timbre> = {
  'warm-pad': {
    amplitude: (harmonic, hz) => harmonic ** -1.15 * rollOff(hz, 2200, 2),
    widthCents: 20,
    attackSeconds: 0.7,
    releaseSeconds: 1.3,
  },
  'air-pad': {
    amplitude: (harmonic, hz) =>
      ([1, 2, 3, 5, 8].includes(harmonic) ? 1 : 0.12) * harmonic ** -1 * rollOff(hz, 5200, 2),
    widthCents: 42,
    attackSeconds: 1.1,
    releaseSeconds: 1.8,
  },
  strings: {
    amplitude: (harmonic, hz) => harmonic ** -0.9 * rollOff(hz, 3600, 2.4),
    widthCents: 20,
    attackSeconds: 0.42,
    releaseSeconds: 0.8,
  },
  'choir-ooh': {
    amplitude: sing([
      [360, 1, 130],
      [820, 0.35, 140],
      [2500, 0.03, 260],
    ]),
    widthCents: 15,
    attackSeconds: 0.22,
    releaseSeconds: 0.6,
  },
  'choir-aah': {
    amplitude: sing([
      [680, 1, 190],
      [1120, 0.6, 200],
      [2700, 0.12, 320],
      [3500, 0.07, 400],
    ]),
    widthCents: 14,
    attackSeconds: 0.13,
    releaseSeconds: 0.5,
  },
  organ: {
    amplitude: (harmonic) => drawbars[harmonic] ?? 0,
    widthCents: 1.2,
    base: 0.5,
    attackSeconds: 0.012,
    releaseSeconds: 0.09,
  },
  supersaw: {
    amplitude: (harmonic, hz) => harmonic ** -0.95 * rollOff(hz, 9000, 2),
    widthCents: 17,
    attackSeconds: 0.006,
    releaseSeconds: 0.22,
  },
}

/** Adds the noise band around one harmonic. Bins are `sampleRate / loopSize` Hz apart. */
function addBand(magnitudes: Float64Array, hz: number, widthHz: number, amplitude: number): void {
  const binHz = sampleRate / loopSize
  const sigma = Math.max(0.35, widthHz / binHz / 2)
  const center = hz / binHz
  const reach = Math.ceil(sigma * 3.5)
  const density = amplitude / Math.sqrt(sigma)
  const first = Math.max(1, Math.floor(center - reach))
  const last = Math.min(magnitudes.length - 1, Math.ceil(center + reach))
  for (let bin = first; bin <= last; bin++) {
    magnitudes[bin]! += density * Math.exp(-0.5 * ((bin - center) / sigma) ** 2)
  }
}

function makeLoop(timbre: Timbre, pitch: number, random: Random): Float32Array {
  const real = new Float64Array(loopSize / 2)
  const imaginary = new Float64Array(loopSize / 2)
  const base = pitchToHz(pitch) * (timbre.base ?? 1)
  const width = 2 ** (timbre.widthCents / 1200) - 1
  for (let harmonic = 1; harmonic * base < 16000 && harmonic <= 96; harmonic++) {
    const hz = harmonic * base
    const amplitude = timbre.amplitude(harmonic, hz)
    if (amplitude > 1e-4) addBand(real, hz, hz * width, amplitude)
  }
  for (let bin = 1; bin < real.length; bin++) {
    const magnitude = real[bin]!
    if (magnitude === 0) continue
    const phase = random.integer(tableSize)
    real[bin] = magnitude * sineTable[(phase + tableSize / 4) % tableSize]!
    imaginary[bin] = magnitude * sineTable[phase]!
  }
  const loop = inverseReal(real, imaginary)
  let power = 0
  for (let index = 0; index < loopSize; index++) power += loop[index]! ** 2
  return scale(loop, 0.2 / Math.sqrt(power / loopSize))
}

export type LoopedVoice = {
  attackSeconds: number
  releaseSeconds: number
  loopFor: (pitch: number) => Float32Array
}

/** The instrument with a loop per pitch, created on first use. */
export function createLoopedVoice(instrument: LoopedInstrument): LoopedVoice {
  const timbre = timbres[instrument]
  const loops = new Map<number, Float32Array>()
  const loopFor = (pitch: number) => {
    const known = loops.get(pitch)
    if (known) return known
    const loop = makeLoop(timbre, pitch, createRandom(pitch, instrument))
    loops.set(pitch, loop)
    return loop
  }
  return { attackSeconds: timbre.attackSeconds, releaseSeconds: timbre.releaseSeconds, loopFor }
}
