import { expect, test } from 'vitest'
import { latencyOfStart, StartLatency } from './start-latency.ts'

test('is the median of the measurements, so single outliers have no effect', () => {
  const latency = new StartLatency()
  const assumed = latency.estimateMs
  expect(assumed).toBeGreaterThan(0)
  for (const measured of [80, 85, 300, 90, 84]) latency.note(measured)
  expect(latency.estimateMs).toBe(85)
})

test('is known after a few measurements and drops old ones', () => {
  const latency = new StartLatency()
  latency.note(80)
  latency.note(80)
  expect(latency.isKnown).toBe(false)
  latency.note(80)
  expect(latency.isKnown).toBe(true)
  for (let start = 0; start < 9; start += 1) latency.note(20)
  expect(latency.estimateMs).toBe(20)
})

test.each([-5, 470, Number.NaN, Infinity])('ignores the implausible value %d', (measured) => {
  const latency = new StartLatency()
  for (let start = 0; start < 3; start += 1) latency.note(measured)
  expect(latency.isKnown).toBe(false)
})

test('is the difference between wall clock and media time', () => {
  const start = { calledAtMs: 1000, nowMs: 1585, playedSeconds: 0.5, playbackRate: 1 }
  expect(latencyOfStart(start)).toBeCloseTo(85)
  expect(latencyOfStart({ ...start, playedSeconds: 1, playbackRate: 2 })).toBeCloseTo(85)
})
