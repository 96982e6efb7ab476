import { expect, test } from 'vitest'
import { computeRetentionCurve } from './retention-curve.ts'

test('starts at 100 % of listeners, and falls by those who left in each part of the track', () => {
  expect(computeRetentionCurve([1, 0, 1, 2])).toEqual([1, 0.75, 0.75, 0.5])
})

test('returns an empty curve if a track has no plays', () => {
  expect(computeRetentionCurve([0, 0, 0])).toEqual([0, 0, 0])
})
