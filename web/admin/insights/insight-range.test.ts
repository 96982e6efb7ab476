import { expect, test } from 'vitest'
import { readRange } from './insight-range.ts'

const now = new Date('2026-11-21T23:30:00Z')
const read = (values: Partial<Parameters<typeof readRange>[0]>) =>
  readRange({ range: '', start: '', end: '', ...values }, now)

test('defaults to 30 days, including today', () => {
  expect(read({})).toEqual({ preset: '30', start: '2026-10-23', end: '2026-11-21' })
  expect(read({ range: '7' })).toMatchObject({ start: '2026-11-15' })
  expect(read({ range: '12m' })).toMatchObject({ start: '2025-11-22', end: '2026-11-21' })
  expect(read({ range: 'forever' })).toMatchObject({ preset: '30' })
})

test('uses a valid custom range, and falls back to 30 days when it is invalid', () => {
  const custom = { range: 'custom', start: '2026-01-01', end: '2026-02-01' }
  expect(read(custom)).toMatchObject({ start: '2026-01-01', end: '2026-02-01' })
  expect(read({ ...custom, end: '2025-12-31' })).toMatchObject({ start: '2026-10-23' })
  expect(read({ ...custom, start: '2026-13-01' })).toMatchObject({ start: '2026-10-23' })
})
