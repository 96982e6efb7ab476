import { expect, test } from 'vitest'
import { applyHash, maxUploads, planUploads, type UploadState } from './plan-uploads.ts'
import type { UploadItem } from './upload-item.ts'

function item(id: string, changes: Partial<UploadItem> = {}): UploadItem {
  return {
    id,
    batch: 'batch',
    position: 1,
    name: `${id}.wav`,
    path: `album/${id}.wav`,
    byteSize: 10,
    modifiedAtMs: 1,
    mime: 'audio/wav',
    stage: 'waiting',
    isPaused: false,
    sha256: null,
    signed: null,
    known: null,
    allowsDuplicate: false,
    trackId: null,
    reason: null,
    ...changes,
  }
}
const hashed = (id: string, changes: Partial<UploadItem> = {}) =>
  item(id, { sha256: `hash of ${id}`, ...changes })

/** Plans the next steps. All files are readable, and files with a hash are checked for duplicates. */
function plan(items: readonly UploadItem[], changes: Partial<UploadState> = {}) {
  const ids = new Set(items.map(({ id }) => id))
  const state: UploadState = {
    items: new Map(items.map((one) => [one.id, one])),
    readable: ids,
    checked: ids,
    running: new Map(),
    returned: new Map(),
    isHashing: false,
    isChecking: false,
    ...changes,
  }
  const { upload, hash, check } = planUploads(state)
  const names = (list: readonly UploadItem[]) => list.map(({ id }) => id)
  return { upload: names(upload), hash: hash?.id ?? null, check: names(check) }
}
const nothing = { upload: [], hash: null, check: [] }
const running = (...ids: string[]) => ({ running: new Map(ids.map((id) => [id, true])) })

test('uploads in list order, up to the concurrency limit', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => hashed(id))
  expect(plan(items).upload).toEqual(['a', 'b', 'c'])
  expect(plan(items, running('b')).upload).toEqual(['a', 'c'])
  expect(plan(items, running('a', 'b', 'c')).upload).toEqual([])
  expect(maxUploads).toBe(3)
})

test('starts no upload above the limit while a paused upload has not stopped yet', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => hashed(id))
  expect(plan(items, running('a', 'b', 'c', 'd')).upload).toEqual([])
})

test.each(['known', 'failed', 'arrived', 'left_out', 'cover', 'side'] as const)(
  'does nothing for an item that is %s',
  (stage) => {
    expect(plan([hashed('a', { stage }), item('b', { stage })])).toEqual(nothing)
  },
)

test('does nothing for paused items', () => {
  expect(plan([hashed('a', { isPaused: true }), item('b', { isPaused: true })])).toEqual(nothing)
})

test('uploads only files that are readable and checked for duplicates', () => {
  const items = [hashed('a'), hashed('b'), hashed('c')]
  expect(plan(items, { readable: new Set(['b', 'c']), checked: new Set(['a', 'b']) })).toEqual({
    ...nothing,
    upload: ['b'],
    check: ['c'],
  })
})

test('computes one hash at a time, in list order', () => {
  const items = [hashed('a'), item('b'), item('c')]
  expect(plan(items).hash).toBe('b')
  expect(plan(items, { isHashing: true }).hash).toBeNull()
  expect(plan(items, { readable: new Set(['a', 'c']) }).hash).toBe('c')
})

test('hashes at most 40 files ahead of their upload', () => {
  const ahead = Array.from({ length: 40 }, (_, index) => hashed(`h${index}`))
  expect(plan([...ahead.slice(1), item('next')]).hash).toBe('next')
  expect(plan([...ahead, item('next')]).hash).toBeNull()
})

test('compares a file that was dropped again, even if 40 files are hashed ahead', () => {
  const ahead = Array.from({ length: 50 }, (_, index) => hashed(`h${index}`))
  const back = hashed('back', { isPaused: true })
  expect(plan([...ahead, back], { returned: new Map([['back', true]]) }).hash).toBe('back')
})

test('checks for duplicates in one request at a time, with a limited number of hashes', () => {
  const items = Array.from({ length: 1500 }, (_, index) => hashed(`h${index}`))
  const unchecked = { checked: new Set<string>() }
  const { check, upload } = plan(items, unchecked)
  expect(upload).toEqual([])
  expect(check[0]).toBe('h0')
  expect(check.length).toBeGreaterThan(0)
  expect(check.length).toBeLessThan(1500)
  expect(plan(items, { ...unchecked, isChecking: true }).check).toEqual([])
})

test('marks a file as a duplicate if the list has a file with the same content', () => {
  const copy = item('copy')
  const first = hashed('first', { stage: 'arrived', trackId: 'track-1' })
  expect(applyHash([first, copy], copy, 'hash of first')).toEqual({
    sha256: 'hash of first',
    stage: 'known',
    known: { id: 'track-1', title: 'first.wav' },
  })
})

test('does not compare a file with itself, with failed files, or if duplicates of it are allowed', () => {
  const copy = item('copy', { sha256: 'hash of first' })
  const plain = { sha256: 'hash of first' }
  expect(applyHash([copy], copy, 'hash of first')).toEqual(plain)
  const failed = hashed('first', { stage: 'failed' })
  expect(applyHash([failed, copy], copy, 'hash of first')).toEqual(plain)
  const wanted = item('wanted', { allowsDuplicate: true })
  expect(applyHash([hashed('first'), wanted], wanted, 'hash of first')).toEqual(plain)
})
