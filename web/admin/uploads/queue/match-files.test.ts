import { expect, test } from 'vitest'
import { matchFiles } from './match-files.ts'
import { newItem, type FoundFile, type UploadItem } from './upload-item.ts'

const file = (path: string, text = 'sound', lastModified = 1): FoundFile => ({
  file: new File([text], path.split('/').at(-1)!, { type: 'audio/wav', lastModified }),
  path,
})
const item = (found: FoundFile, changes: Partial<UploadItem> = {}): UploadItem => ({
  ...newItem(found, { batch: 'b', position: 1 }),
  ...changes,
})
const toIds = (...items: UploadItem[]) => new Set(items.map(({ id }) => id))

test('matches the missing files of a folder that is dropped again, without adding duplicates', () => {
  const [arrived, waiting] = [file('a/1.wav'), file('a/2.wav')]
  const items = [item(arrived, { stage: 'arrived' }), item(waiting)]
  const fresh = file('a/3.wav')
  const matches = matchFiles([arrived, waiting, fresh], items, toIds(items[1]!))
  expect(matches.alreadyListedCount).toBe(1)
  expect(matches.returned).toEqual([{ item: items[1], found: waiting }])
  expect(matches.fresh).toEqual([fresh])
})

test('matches a file that is dropped without its folder by name and size', () => {
  const waiting = item(file('a/2.wav'))
  const again = file('2.wav')
  expect(matchFiles([again], [waiting], toIds(waiting)).returned[0]?.found).toBe(again)
  const longer = file('2.wav', 'longer sound')
  expect(matchFiles([longer], [waiting], toIds(waiting)).fresh).toEqual([longer])
})

test('does not mix up files with the same name in different folders', () => {
  const items = [item(file('a/1.wav')), item(file('b/1.wav')), item(file('c/1.wav'))]
  const found = [file('c/1.wav'), file('b/1.wav')]
  const { returned, fresh } = matchFiles(found, items, toIds(...items))
  expect(returned.map((match) => match.item.path)).toEqual(['c/1.wav', 'b/1.wav'])
  expect(fresh).toEqual([])
})

test('treats a changed or failed file as new', () => {
  const before = item(file('1.wav'), { stage: 'arrived' })
  const changed = file('1.wav', 'other', 2)
  expect(matchFiles([changed], [before], new Set()).fresh).toEqual([changed])
  const failed = item(file('2.wav'), { stage: 'failed' })
  const again = file('2.wav')
  expect(matchFiles([again], [failed], new Set()).fresh).toEqual([again])
})

test('skips files that are not music, and marks files that cannot be uploaded as failed', () => {
  const states = ['song.wav', '.DS_Store', '._song.wav', 'notes.txt'].map((name) => {
    const type = name.endsWith('.wav') ? 'audio/wav' : 'text/plain'
    const found = { file: new File(['x'], name, { type }), path: name }
    const { stage, reason } = newItem(found, { batch: 'b', position: 1 })
    return [stage, reason]
  })
  expect(states).toEqual([
    ['waiting', null],
    ['left_out', 'Hidden system file'],
    ['left_out', 'Hidden system file'],
    ['left_out', 'Not an audio file'],
  ])
  expect(item(file('empty.wav', ''))).toMatchObject({
    stage: 'failed',
    reason: 'The file is empty.',
  })
})
