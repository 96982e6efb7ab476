// Struck and plucked instruments. Each note is rendered once per pitch and hardness and then played like a sample;
// hardness (0 to 1) changes the timbre, the note's velocity the level.

import type { StruckInstrument } from '../composition/compose-model.ts'
import { createRandom, type Random } from '../composition/compose-random.ts'
import { makeElectricPiano } from './synth-electric-piano.ts'
import { filterFixed } from './synth-filter.ts'
import { addModes, softenOnset, type VibrationMode } from './synth-modes.ts'
import { finishSample, pitchToHz, toSampleCount } from './synth-stereo.ts'
import { pluckString } from './synth-string.ts'

type Strike = (hz: number, hardness: number, random: Random) => Float32Array

function noiseBurst(
  buffer: Float32Array,
  hz: number,
  level: number,
  seconds: number,
  random: Random,
) {
  const burst = new Float32Array(Math.min(buffer.length, toSampleCount(seconds * 5)))
  const fall = Math.exp(-1 / toSampleCount(seconds))
  let gain = level
  for (let index = 0; index < burst.length; index++, gain *= fall) {
    burst[index] = random.range(-gain, gain)
  }
  filterFixed(burst, 'lowpass', hz)
  for (let index = 0; index < burst.length; index++) buffer[index]! += burst[index]!
}

/** Piano strings: stretched partials, two slightly detuned strings, the thud of the felt hammer. */
function makePiano(softness: number): Strike {
  return (hz, hardness, random) => {
    const modes: VibrationMode[] = []
    const stretch = 0.00035 * (hz / 260) ** 1.3
    const color = (2.2 + hardness * 7) / softness
    const sustain = 15 * (130 / (hz + 70)) ** 0.75
    for (let partial = 1; partial <= 18 && partial * hz < 11000; partial++) {
      const ratio = partial * Math.sqrt(1 + stretch * partial * partial)
      const position = 0.25 + Math.abs(Math.sin((Math.PI * partial) / 7.3))
      const amplitude = (position * Math.exp(-partial / color)) / partial ** 0.35
      const decaySeconds = sustain / (1 + 0.22 * (partial - 1))
      const apart = hz * ratio * 0.00022
      modes.push({ hz: hz * ratio - apart, amplitude: amplitude * 0.6, decaySeconds })
      if (partial > 7) continue
      modes.push({
        hz: hz * ratio + apart,
        amplitude: amplitude * 0.4,
        decaySeconds: decaySeconds * 0.6,
      })
    }
    const buffer = addModes(new Float32Array(toSampleCount(Math.min(4, sustain))), modes)
    noiseBurst(buffer, 500 + 1500 * hardness, 0.25 / softness + 0.12, 0.006, random)
    softenOnset(buffer, 0.0015 * softness)
    return finishSample(buffer, 0.3)
  }
}

type Bar = readonly [ratio: number, amplitude: number, decay: number]

/** Bars and tines, with few vibration modes. `knock` is the level of the mallet's noise. */
function makeBars(bars: readonly Bar[], seconds: number, knock: number, onset = 0.002): Strike {
  return (hz, hardness, random) => {
    const length = seconds * (262 / hz) ** 0.5
    const modes = bars.map(([ratio, amplitude, decay], index) => ({
      hz: hz * ratio,
      amplitude: amplitude * (index === 0 ? 1 : 0.35 + hardness * 0.9),
      decaySeconds: decay * length,
    }))
    const buffer = addModes(new Float32Array(toSampleCount(Math.min(4.5, length))), modes)
    if (knock > 0) noiseBurst(buffer, 1800 + hardness * 2000, knock, 0.004, random)
    return finishSample(softenOnset(buffer, onset), 0.25)
  }
}

/** A sawtooth wave through a closing filter, computed as modes: higher harmonics decay sooner. */
function makeSynthPluck(): Strike {
  return (hz, hardness) => {
    const modes: VibrationMode[] = []
    for (let harmonic = 1; harmonic * hz < 9000 && harmonic <= 28; harmonic++) {
      const amplitude = harmonic ** -0.95 * Math.exp((-harmonic * hz) / (2500 + hardness * 6000))
      const decaySeconds = 0.12 + 1.1 / (1 + 0.45 * (harmonic - 1))
      modes.push({ hz: hz * harmonic * 1.0012, amplitude: amplitude * 0.5, decaySeconds })
      modes.push({ hz: hz * harmonic * 0.9988, amplitude: amplitude * 0.5, decaySeconds })
    }
    const buffer = addModes(new Float32Array(toSampleCount(1.4)), modes)
    return finishSample(softenOnset(buffer, 0.002), 0.1)
  }
}

function makeUprightBass(): Strike {
  return (hz, hardness, random) => {
    const modes: VibrationMode[] = []
    for (let partial = 1; partial <= 14; partial++) {
      const amplitude = Math.exp(-partial / (2 + hardness * 1.6)) * (partial === 1 ? 1.3 : 1)
      const decaySeconds = 2.6 / (1 + 0.5 * (partial - 1))
      modes.push({ hz: hz * partial * (1 + 0.0001 * partial * partial), amplitude, decaySeconds })
    }
    const buffer = addModes(new Float32Array(toSampleCount(2.2)), modes)
    noiseBurst(buffer, 700, 0.5, 0.012, random)
    return finishSample(softenOnset(buffer, 0.006), 0.2)
  }
}

const strikes: Record<StruckInstrument, Strike> = {
  'electric-piano': makeElectricPiano,
  'felt-piano': makePiano(2.1),
  'grand-piano': makePiano(1),
  vibraphone: makeBars(
    [
      [1, 1, 1],
      [4, 0.22, 0.35],
      [10.1, 0.05, 0.12],
    ],
    4.4,
    0.1,
    0.003,
  ),
  kalimba: makeBars(
    [
      [1, 1, 1],
      [2.01, 0.12, 0.7],
      [5.4, 0.16, 0.14],
      [8.9, 0.07, 0.07],
    ],
    1.7,
    0.25,
  ),
  'glass-bell': makeBars(
    [
      [1, 1, 1],
      [2.003, 0.4, 0.8],
      [3.01, 0.12, 0.6],
      [4.17, 0.2, 0.5],
      [6.82, 0.1, 0.3],
    ],
    3.6,
    0,
    0.006,
  ),
  marimba: makeBars(
    [
      [1, 1, 1],
      [3.93, 0.24, 0.3],
      [9.6, 0.08, 0.1],
    ],
    1.3,
    0.3,
  ),
  'nylon-guitar': pluckString({ brightness: 0.42, sustainSeconds: 3.2, position: 0.22 }),
  'muted-guitar': pluckString({ brightness: 0.5, sustainSeconds: 1.2, position: 0.14 }),
  'synth-pluck': makeSynthPluck(),
  'upright-bass': makeUprightBass(),
}

/** Decay time of the sound after the key is released. */
const releases: Partial<Record<StruckInstrument, number>> = {
  'electric-piano': 0.16,
  'felt-piano': 0.3,
  'grand-piano': 0.22,
  vibraphone: 0.5,
  'nylon-guitar': 0.3,
  'muted-guitar': 0.12,
  'upright-bass': 0.09,
}

export type StruckVoice = {
  releaseSeconds: number
  sampleFor: (pitch: number, velocity: number) => Float32Array
}

const hardnessSteps = 4

export function createStruckVoice(instrument: StruckInstrument): StruckVoice {
  const samples = new Map<number, Float32Array>()
  const sampleFor = (pitch: number, velocity: number) => {
    const layer = Math.min(hardnessSteps - 1, Math.floor(velocity * hardnessSteps))
    const name = pitch * hardnessSteps + layer
    const known = samples.get(name)
    if (known) return known
    const random = createRandom(name, instrument)
    const sample = strikes[instrument](pitchToHz(pitch), (layer + 0.5) / hardnessSteps, random)
    samples.set(name, sample)
    return sample
  }
  return { releaseSeconds: releases[instrument] ?? 0.8, sampleFor }
}
