// The drum kit: several takes of every drum, so that no two consecutive strokes are the same sample.

import type { DrumInstrument } from '../composition/compose-model.ts'
import { createRandom, type Random } from '../composition/compose-random.ts'
import {
  makeCrash,
  makeHat,
  makeRide,
  makeRiser,
  makeShaker,
  makeTambourine,
} from './synth-cymbals.ts'
import { makeHands, makeKick, makeRim, makeSnare, makeTom } from './synth-drums.ts'

type Stroke = { seconds: number; pitch: number }

const makers: Record<DrumInstrument, (random: Random, stroke: Stroke) => Float32Array> = {
  'kick-soft': (random) =>
    makeKick(
      { fromHz: 105, toHz: 46, sweepSeconds: 0.028, decaySeconds: 0.15, drive: 1.1 },
      { level: 0.12, hz: 1400 },
      random,
    ),
  'kick-dusty': (random) =>
    makeKick(
      { fromHz: 150, toHz: 54, sweepSeconds: 0.022, decaySeconds: 0.105, drive: 1.7 },
      { level: 0.45, hz: 2600 },
      random,
    ),
  'kick-club': (random) =>
    makeKick(
      { fromHz: 260, toHz: 49, sweepSeconds: 0.017, decaySeconds: 0.135, drive: 1.9 },
      { level: 0.6, hz: 6000 },
      random,
    ),
  'snare-dusty': (random) =>
    makeSnare(
      {
        bodyHz: 192,
        bodyLevel: 0.75,
        bodySeconds: 0.17,
        noiseLowHz: 700,
        noiseHighHz: 5600,
        noiseSeconds: 0.05,
        onsetSeconds: 0.001,
      },
      random,
    ),
  'snare-brush': (random) =>
    makeSnare(
      {
        bodyHz: 205,
        bodyLevel: 0.2,
        bodySeconds: 0.12,
        noiseLowHz: 1100,
        noiseHighHz: 7000,
        noiseSeconds: 0.07,
        onsetSeconds: 0.008,
      },
      random,
    ),
  'snare-big': (random) =>
    makeSnare(
      {
        bodyHz: 178,
        bodyLevel: 0.8,
        bodySeconds: 0.25,
        noiseLowHz: 900,
        noiseHighHz: 9500,
        noiseSeconds: 0.085,
        onsetSeconds: 0.0008,
      },
      random,
    ),
  clap: (random) =>
    makeHands(
      { bursts: [0, 0.011, 0.021, 0.03], hz: 1250, decaySeconds: 0.06, quality: 1.3 },
      random,
    ),
  snap: (random) =>
    makeHands({ bursts: [0, 0.009], hz: 2050, decaySeconds: 0.022, quality: 2.6 }, random),
  rim: (random) => makeRim(random),
  'hat-closed': (random) => makeHat(0.028, 6200, 13500, random),
  'hat-open': (random) => makeHat(0.13, 5600, 13000, random),
  'hat-dusty': (random) => makeHat(0.034, 4000, 8200, random),
  ride: (random) => makeRide(random),
  shaker: (random) => makeShaker(random),
  tambourine: (random) => makeTambourine(random),
  tom: (_, stroke) => makeTom(2 ** ((stroke.pitch - 60) / 12)),
  crash: (random) => makeCrash(random),
  riser: (random, stroke) => makeRiser(stroke.seconds, random),
}

const takes = 4

/** Returns the samples of a drum's strokes. `take` is the index of the stroke in its part. */
export function createDrumVoice(instrument: DrumInstrument, seed: number) {
  const samples = new Map<string, Float32Array>()
  return (take: number, stroke: Stroke): Float32Array => {
    const length = instrument === 'riser' ? stroke.seconds : 0
    const name = `${instrument} ${take % takes} ${stroke.pitch} ${length}`
    const known = samples.get(name)
    if (known) return known
    const sample = makers[instrument](createRandom(seed, name), stroke)
    samples.set(name, sample)
    return sample
  }
}
