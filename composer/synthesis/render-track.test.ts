import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Mood } from '../composition/compose-model.ts'
import { composeTrack, moodStyles } from '../composition/compose-track.ts'
import { encodeWav } from './encode-wav.ts'
import { type Rendered, renderTrack } from './render-track.ts'
import { measureLoudness } from './synth-loudness.ts'

const durationSeconds = 20
const moods = Object.keys(moodStyles) as Mood[]

function render(mood: Mood, seed: number): Rendered {
  return renderTrack(composeTrack({ seed, mood, durationSeconds }))
}

function hashOf(rendered: Rendered): string {
  return createHash('sha256').update(encodeWav(rendered)).digest('hex')
}

function rmsDecibels(buffer: Float32Array): number {
  const power = buffer.reduce((sum, value) => sum + value * value, 0) / buffer.length
  return 10 * Math.log10(power)
}

/** Power-weighted mean frequency of the spectrum (second moment), by Parseval's theorem without a transform. */
function centroidHz({ left, sampleRate }: Rendered): number {
  let [power, slope] = [0, 0]
  for (let index = 1; index < left.length; index++) {
    power += left[index]! ** 2
    slope += (left[index]! - left[index - 1]!) ** 2
  }
  return (Math.sqrt(slope / power) * sampleRate) / 2 / Math.PI
}

function correlation({ left, right }: Rendered): number {
  let [both, ll, rr] = [0, 0, 0]
  for (let index = 0; index < left.length; index++) {
    both += left[index]! * right[index]!
    ll += left[index]! ** 2
    rr += right[index]! ** 2
  }
  return both / Math.sqrt(ll * rr)
}

const rendered = new Map<Mood, Rendered>(moods.map((mood) => [mood, render(mood, 1)]))

describe.each([...rendered])('%s', (mood, track) => {
  const channels = [track.left, track.right]

  test('has the given duration, in finite samples without offset', () => {
    for (const channel of channels) {
      expect(channel.length).toBe(durationSeconds * 44100)
      const sum = channel.reduce((total, value) => total + value, 0)
      expect(Number.isFinite(sum)).toBe(true)
      expect(Math.abs(sum / channel.length)).toBeLessThan(5e-4)
    }
  })

  test('has the loudness of its mood and stays well below clipping', () => {
    const { loudnessLufs } = moodStyles[mood].production
    expect(Math.abs(measureLoudness(track) - loudnessLufs)).toBeLessThan(0.6)
    for (const channel of channels) {
      const peak = channel.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      expect(20 * Math.log10(peak)).toBeLessThan(-1.4)
    }
  })

  test('is never silent between its fades', () => {
    for (let second = 1; second < durationSeconds - 3; second++) {
      const window = track.left.subarray(second * 44100, (second + 1) * 44100)
      expect(rmsDecibels(window)).toBeGreaterThan(-42)
    }
  })

  test('begins and ends in silence without clicks', () => {
    for (const channel of channels) {
      expect(Math.abs(channel[0]!)).toBeLessThan(1e-4)
      expect(Math.abs(channel.at(-1)!)).toBeLessThan(1e-4)
      expect(rmsDecibels(channel.slice(-2205))).toBeLessThan(-55)
      let jump = 0
      for (let index = 1; index < channel.length; index++) {
        jump = Math.max(jump, Math.abs(channel[index]! - channel[index - 1]!))
      }
      expect(jump).toBeLessThan(0.5)
    }
  })

  test('has a wide stereo image and is mono-compatible', () => {
    expect(correlation(track)).toBeLessThan(0.97)
    expect(correlation(track)).toBeGreaterThan(0.3)
  })
})

test('equal seeds give equal bytes, and different seeds give different bytes', () => {
  const first = rendered.get('study')
  if (!first) throw new Error('The study track was expected')
  expect(hashOf(render('study', 1))).toBe(hashOf(first))
  expect(hashOf(render('study', 2))).not.toBe(hashOf(first))
})

/** Brightness and number of strokes, on logarithmic scales: two features that distinguish moods audibly. */
function faceOf(mood: Mood): { color: number; pace: number } {
  const track = rendered.get(mood)
  if (!track) throw new Error(`A ${mood} track was expected`)
  // With 120 seconds, the composer uses the mood's own tempo.
  const { parts } = composeTrack({ seed: 1, mood, durationSeconds: 120 })
  const strokes = parts.reduce((sum, { notes }) => sum + notes.length, 0)
  return { color: Math.log(centroidHz(track)), pace: Math.log(strokes) }
}

const faces = new Map(moods.map((mood) => [mood, faceOf(mood)]))

test('each pair of moods differs in brightness or in number of strokes', () => {
  for (const [one, a] of faces) {
    for (const [other, b] of faces) {
      if (one === other) continue
      expect(Math.hypot(a.color - b.color, a.pace - b.pace)).toBeGreaterThan(0.2)
    }
  }
})

test('workout is the brightest mood, with a clear distance to the calm moods', () => {
  const color = (mood: Mood) => faces.get(mood)?.color ?? Number.NaN
  expect(color('workout')).toBeGreaterThan(color('gospel'))
  for (const mood of ['focus', 'romantic-chill', 'study'] as const) {
    expect(color('workout') - color(mood)).toBeGreaterThan(Math.log(1.3))
  }
})
