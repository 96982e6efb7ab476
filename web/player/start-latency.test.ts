import { expect, test } from 'vitest'
import { latencyOfStart, StartLatency } from './start-latency.ts'

test('is the median of what was measured, so that single outliers do nothing', () => {
  const latency = new StartLatency()
  const assumed = latency.estimateMs
  expect(assumed).toBeGreaterThan(0)
  for (const measured of [80, 85, 300, 90, 84]) latency.note(measured)
  expect(latency.estimateMs).toBe(85)
})

test('is known only after a few measurements, and forgets old ones', () => {
  const latency = new StartLatency()
  latency.note(80)
  latency.note(80)
  expect(latency.isKnown).toBe(false)
  latency.note(80)
  expect(latency.isKnown).toBe(true)
  for (let start = 0; start < 9; start += 1) latency.note(20)
  expect(latency.estimateMs).toBe(20)
})

test.each([-5, 470, Number.NaN, Infinity])('leaves out %d, which is no start', (measured) => {
  const latency = new StartLatency()
  for (let start = 0; start < 3; start += 1) latency.note(measured)
  expect(latency.isKnown).toBe(false)
})

test('a start is late by what the clock on the wall is ahead of the medium', () => {
  const start = { calledAtMs: 1000, nowMs: 1585, playedSeconds: 0.5, playbackRate: 1 }
  expect(latencyOfStart(start)).toBeCloseTo(85)
  expect(latencyOfStart({ ...start, playedSeconds: 1, playbackRate: 2 })).toBeCloseTo(85)
})
