// The synthesizer's audio format: two channels of samples around zero at 44.1 kHz.

export const sampleRate = 44100

export type Stereo = { left: Float32Array; right: Float32Array }

export function createStereo(samples: number): Stereo {
  return { left: new Float32Array(samples), right: new Float32Array(samples) }
}

export function decibelsToGain(decibels: number): number {
  return 10 ** (decibels / 20)
}

/** MIDI note number to Hz, A4 = 440. */
export function pitchToHz(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / 12)
}

export function toSampleCount(seconds: number): number {
  return Math.round(seconds * sampleRate)
}

/** Gains of a constant-power pan from -1 (left) to 1 (right). Both are 1 in the center. */
export function panGains(pan: number): [left: number, right: number] {
  const angle = ((Math.max(-1, Math.min(1, pan)) + 1) * Math.PI) / 4
  return [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2]
}

export function findPeak(buffer: Float32Array): number {
  let peak = 0
  for (let index = 0; index < buffer.length; index++) {
    const size = Math.abs(buffer[index]!)
    if (size > peak) peak = size
  }
  return peak
}

export function scale(buffer: Float32Array, gain: number): Float32Array {
  for (let index = 0; index < buffer.length; index++) buffer[index]! *= gain
  return buffer
}

/** Scales to a peak of 1 and fades out the last milliseconds, which avoids a click at the end. */
export function finishSample(buffer: Float32Array, fadeSeconds = 0.02): Float32Array {
  const peak = findPeak(buffer)
  if (peak > 0) scale(buffer, 1 / peak)
  const fade = Math.min(buffer.length, toSampleCount(fadeSeconds))
  for (let index = 0; index < fade; index++) {
    buffer[buffer.length - 1 - index]! *= index / fade
  }
  return buffer
}
