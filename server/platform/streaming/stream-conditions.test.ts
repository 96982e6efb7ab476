import { describe, expect, test } from 'vitest'
import { evaluateConditions, mayUseRange } from './stream-conditions.ts'

const file = { etag: '"v1"', lastModified: new Date('2026-11-21T10:00:00.900Z') }
const same = 'Sat, 21 Nov 2026 10:00:00 GMT'
const earlier = 'Sat, 21 Nov 2026 09:59:59 GMT'
const later = 'Sat, 21 Nov 2026 10:00:01 GMT'

describe('conditions', () => {
  test.each([
    [{}, 'proceed'],
    [{ 'if-none-match': '"v1"' }, 'not_modified'],
    [{ 'if-none-match': 'W/"v1"' }, 'not_modified'],
    [{ 'if-none-match': '"v0", "v1"' }, 'not_modified'],
    [{ 'if-none-match': '*' }, 'not_modified'],
    [{ 'if-none-match': '"v0"' }, 'proceed'],
    [{ 'if-none-match': 'v1' }, 'proceed'],
    [{ 'if-modified-since': same }, 'not_modified'],
    [{ 'if-modified-since': later }, 'not_modified'],
    [{ 'if-modified-since': earlier }, 'proceed'],
    [{ 'if-modified-since': 'yesterday-ish' }, 'proceed'],
    // The ETag takes precedence over the date.
    [{ 'if-none-match': '"v0"', 'if-modified-since': same }, 'proceed'],
    [{ 'if-none-match': '"v1"', 'if-modified-since': earlier }, 'not_modified'],
    [{ 'if-match': '"v1"' }, 'proceed'],
    [{ 'if-match': '*' }, 'proceed'],
    [{ 'if-match': 'W/"v1"' }, 'failed'],
    [{ 'if-match': '"v0"' }, 'failed'],
    [{ 'if-unmodified-since': same }, 'proceed'],
    [{ 'if-unmodified-since': earlier }, 'failed'],
    [{ 'if-match': '"v1"', 'if-unmodified-since': earlier }, 'proceed'],
    [{ 'if-match': '"v0"', 'if-none-match': '"v1"' }, 'failed'],
  ])('%j → %s', (headers, expected) => {
    expect(evaluateConditions(headers, file)).toBe(expected)
  })
})

describe('If-Range', () => {
  test.each([
    [undefined, true],
    ['"v1"', true],
    ['"v0"', false],
    ['W/"v1"', false],
    ['"v1', false],
    [same, true],
    [earlier, false],
    [later, false],
    ['nonsense', false],
  ])('%j → %s', (value, expected) => {
    expect(mayUseRange({ 'if-range': value }, file)).toBe(expected)
  })
})
