// A ping-pong echo in time with the music. Each repeat has less treble and less bass.

import { sampleRate, toSampleCount, type Stereo } from './synth-stereo.ts'

/** Replaces the sound in `stereo` with its echoes, in place. The original sound is not included. */
export function applyEcho({ left, right }: Stereo, seconds: number, feedback: number): void {
  const length = toSampleCount(seconds)
  const lineLeft = new Float32Array(length)
  const lineRight = new Float32Array(length)
  const dark = 1 - Math.exp((-2 * Math.PI * 3800) / sampleRate)
  const thin = 1 - Math.exp((-2 * Math.PI * 220) / sampleRate)
  let [lowLeft, lowRight, bassLeft, bassRight] = [0, 0, 0, 0]
  let place = 0
  for (let index = 0; index < left.length; index++) {
    lowLeft += (lineLeft[place]! + 1e-18 - lowLeft) * dark
    lowRight += (lineRight[place]! + 1e-18 - lowRight) * dark
    bassLeft += (lowLeft - bassLeft) * thin
    bassRight += (lowRight - bassRight) * thin
    const outLeft = lowLeft - bassLeft
    const outRight = lowRight - bassRight
    // Input from either side is first heard on the left, then alternates.
    lineLeft[place] = (left[index]! + right[index]!) * 0.6 + outRight * feedback
    lineRight[place] = outLeft * 0.9
    left[index] = outLeft
    right[index] = outRight
    if (++place === length) place = 0
  }
}
