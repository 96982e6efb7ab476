import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropDrafts, readDraft, scheduleDraft } from './stored-drafts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  dropDrafts('ada')
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('writes a draft 300 ms after the last change', () => {
  scheduleDraft('ada', 'track', { title: 'D' })
  vi.advanceTimersByTime(200)
  scheduleDraft('ada', 'track', { title: 'Dawn' })
  vi.advanceTimersByTime(200)
  expect(readDraft('ada', 'track')).toBeNull()
  vi.advanceTimersByTime(100)
  expect(readDraft('ada', 'track')).toEqual({ title: 'Dawn' })
})

test.each([
  ['the page closes', () => window.dispatchEvent(new Event('pagehide'))],
  [
    'the page goes to the background',
    () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
      document.dispatchEvent(new Event('visibilitychange'))
    },
  ],
])('writes a draft immediately when %s', (_what, leave) => {
  scheduleDraft('ada', 'track', { title: 'Dawn' })
  expect(readDraft('ada', 'track')).toBeNull()
  leave()
  expect(readDraft('ada', 'track')).toEqual({ title: 'Dawn' })
})

test("never returns one member's draft to another member", () => {
  scheduleDraft('ada', 'track', { title: 'Dawn' })
  vi.advanceTimersByTime(300)
  expect(readDraft('bob', 'track')).toBeNull()
})
