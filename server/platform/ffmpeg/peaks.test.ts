import { expect, test } from 'vitest'
import { createPeakCollector } from './peaks.ts'

/** Creates stereo frames with the given left channel and a silent right channel. */
function stereo(left: number[]): Int16Array {
  return Int16Array.from(left.flatMap((value) => [value, 0]))
}

test('for a ramp up to full scale, returns a ramp up to 255', () => {
  const frames = 400_000
  const collector = createPeakCollector(2)
  collector.add(stereo(Array.from({ length: frames }, (_, i) => (i / frames) * -32_768)))
  const peaks = collector.finish()
  expect(peaks).toHaveLength(800)
  peaks.forEach((peak, i) => expect(Math.abs(peak - ((i + 1) / 800) * 255)).toBeLessThanOrEqual(1))
})

test('includes both channels, and positive and negative samples', () => {
  const collector = createPeakCollector(2)
  collector.add(Int16Array.from([0, -32_768]))
  collector.add(Int16Array.from([16_384, 0]))
  expect(collector.frames).toBe(2)
  expect([...collector.finish(1)]).toEqual([255])
})

test('a single loud sample is visible in a track of any length', () => {
  const collector = createPeakCollector(1)
  const second = new Int16Array(44_100)
  for (let i = 0; i < 600; i += 1) {
    if (i === 300) second[100] = 32_767
    collector.add(second)
    second[100] = 0
  }
  const loud = [...collector.finish()].flatMap((peak, i) => (peak > 0 ? [i] : []))
  expect(loud).toEqual([400])
})

test('returns the same peaks however the samples are split into chunks', () => {
  const samples = stereo(
    Array.from({ length: 50_000 }, (_, i) =>
      Math.round(9000 * Math.sin(i / 7) * Math.cos(i / 9000)),
    ),
  )
  const whole = createPeakCollector(2)
  whole.add(samples)
  const pieces = createPeakCollector(2)
  for (let i = 0; i < samples.length; i += 1346) pieces.add(samples.subarray(i, i + 1346))
  expect(pieces.finish()).toEqual(whole.finish())
})

test('returns fewer peaks if there are fewer samples', () => {
  const collector = createPeakCollector(2)
  expect(collector.finish()).toHaveLength(0)
  collector.add(new Int16Array(2 * 16 * 3))
  expect(collector.finish()).toHaveLength(3)
})
