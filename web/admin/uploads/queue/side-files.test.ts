import { expect, test } from 'vitest'
import { readSideFiles } from './side-files.ts'
import { newItems, type FoundFile } from './upload-item.ts'

const found = (path: string, text = 'x', type = ''): FoundFile => ({
  file: new File([text], path.split('/').at(-1)!, { type }),
  path,
})

test('accepts text files with the name of a recording in the same folder', () => {
  const drop = [
    found('2025-09/Song.WAV', 'x', 'audio/wav'),
    found('2025-09/song.txt'),
    found('2025-09/Song.lrc'),
    found('2025-10/Song.txt'),
    found('2025-09/README.txt'),
    found('2025-09/Song.srt', ''),
  ]
  const stages = newItems(drop, []).map(([{ path, stage }]) => [path, stage])
  expect(Object.fromEntries(stages)).toEqual({
    '2025-09/Song.WAV': 'waiting',
    '2025-09/song.txt': 'side',
    '2025-09/Song.lrc': 'side',
    '2025-10/Song.txt': 'left_out',
    '2025-09/README.txt': 'left_out',
    '2025-09/Song.srt': 'left_out',
  })
})

test('reads one text file of each kind for a track', async () => {
  const drop = [
    found('a/1.wav', 'x', 'audio/wav'),
    found('a/1.txt', 'one'),
    found('a/1.json', '{}'),
    found('a/2.wav', 'x', 'audio/wav'),
    found('a/2.txt', 'two'),
  ]
  const items = newItems(drop, [])
  const files = new Map(items.map(([{ id }, { file }]) => [id, file]))
  const list = items.map(([item]) => item)
  const read = (path: string) => readSideFiles({ path }, list, files)
  expect(await read('a/1.wav')).toEqual([
    { kind: 'txt', text: 'one' },
    { kind: 'json', text: '{}' },
  ])
  expect(await read('a/2.wav')).toEqual([{ kind: 'txt', text: 'two' }])
})
