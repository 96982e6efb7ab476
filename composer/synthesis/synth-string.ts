// A plucked string as a delay line that loses high frequencies on every pass (Karplus and Strong, with the tuning and
// pick position of Jaffe and Smith).

import type { Random } from '../composition/compose-random.ts'
import { filterFixed } from './synth-filter.ts'
import { addModes, softenOnset } from './synth-modes.ts'
import { finishSample, sampleRate, toSampleCount } from './synth-stereo.ts'

export type StringBody = {
  /** 0 is dull, 1 is a steel string. */
  brightness: number
  sustainSeconds: number
  /** Pick position: fraction of the string's length from the bridge. */
  position: number
}

function excite(period: number, body: StringBody, hardness: number, random: Random): Float32Array {
  const burst = new Float32Array(period)
  for (let index = 0; index < period; index++) burst[index] = random.range(-1, 1)
  filterFixed(burst, 'lowpass', 900 + (hardness * 3800 + 900) * body.brightness * 1.4)
  const lag = Math.max(1, Math.round(period * body.position))
  const plucked = new Float32Array(period)
  for (let index = 0; index < period; index++) {
    plucked[index] = burst[index]! - burst[(index + period - lag) % period]!
  }
  return plucked
}

export function pluckString(body: StringBody) {
  return (hz: number, hardness: number, random: Random): Float32Array => {
    const seconds = Math.min(3.4, body.sustainSeconds)
    const output = new Float32Array(toSampleCount(seconds))
    const period = sampleRate / hz
    // The averaging filter delays the signal by `blend`, the all-pass by the remaining fraction of a sample.
    const blend = 0.5 - body.brightness * 0.35
    const whole = Math.floor(period - blend - 0.1)
    const fraction = period - blend - whole
    const tuning = (1 - fraction) / (1 + fraction)
    const loss = 10 ** (-3 / (hz * body.sustainSeconds * (220 / (hz + 60)) ** 0.25))
    const line = excite(whole, body, hardness, random)
    let place = 0
    let before = 0
    let input = 0
    let held = 0
    for (let index = 0; index < output.length; index++) {
      const sample = line[place]!
      output[index] = sample
      const damped = loss * ((1 - blend) * sample + blend * before)
      before = sample
      held = tuning * (damped - held) + input
      input = damped
      line[place] = held
      if (++place === whole) place = 0
    }
    addModes(output, [
      { hz: 108, amplitude: 0.05, decaySeconds: 0.14 },
      { hz: 215, amplitude: 0.04, decaySeconds: 0.1 },
    ])
    return finishSample(softenOnset(output, 0.0025), 0.15)
  }
}
