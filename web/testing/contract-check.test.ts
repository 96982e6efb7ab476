import { expect, test } from 'vitest'
import { findResponseProblem } from './contract-check.ts'
import { makeTrack } from './track-fixture.ts'

const found = (value: unknown) => findResponseProblem('GET /api/tracks', value)

test('accepts responses that match the contract, and names the field that differs', () => {
  const data = [makeTrack(1)]
  expect(found({ data, next_cursor: null, total: 1 })).toBeUndefined()
  expect(found({ data, total: 1 })).toMatch(/has no such response: .*\n.*next_cursor/)
})

test('requires a JSON response for operations that declare one, and rejects it for others', () => {
  expect(found(undefined)).toContain('has a JSON response')
  const like = `PUT /api/tracks/${makeTrack(1).id}/like`
  expect(findResponseProblem(like, undefined)).toBeUndefined()
  expect(findResponseProblem(like, {})).toContain('has no JSON response')
})

test('prefers a path without parameters, and rejects unknown paths', () => {
  expect(findResponseProblem('GET /api/plays/recent', { data: [] })).toBeUndefined()
  expect(findResponseProblem('GET /api/nowhere', {})).toContain(
    'is not an operation of the contract',
  )
})
