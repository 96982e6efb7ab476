import { expect, test } from 'vitest'
import { fieldsOfFile, readFilename } from './fields-of-file.ts'

test.each([
  ['01 - Ada Lovelace - Evening Song.mp3', 'Ada Lovelace', 'Evening Song'],
  ['Ada Lovelace - Evening Song.flac', 'Ada Lovelace', 'Evening Song'],
  ['Ada - 03 - Evening Song.wav', 'Ada', 'Evening Song'],
  ['ada_lovelace_-_evening_song.m4a', 'ada lovelace', 'evening song'],
  ['1-07 Evening Song.wav', undefined, 'Evening Song'],
  ['07. Evening Song.wav', undefined, 'Evening Song'],
  ['(4) Evening Song.wav', undefined, 'Evening Song'],
  ['05 Evening Song.wav', undefined, 'Evening Song'],
  ['99 Luftballons.mp3', undefined, '99 Luftballons'],
  ['Artist - Title - Live - Remaster.mp3', 'Artist', 'Title - Live - Remaster'],
  ['1999.mp3', undefined, '1999'],
  ['02.mp3', undefined, '02'],
  ['well-known.mp3', undefined, 'well-known'],
  ['Mr. Blue.mp3', undefined, 'Mr. Blue'],
  ['.mp3', undefined, 'Untitled'],
  [' - .wav', undefined, '-'],
  ['Ночь - Тихо.ogg', 'Ночь', 'Тихо'],
])('parses %s', (filename, artist, title) => {
  expect(readFilename(filename)).toEqual({ artist, title })
})

test('prefers tags, and ignores values without visible characters', () => {
  const fields = fieldsOfFile(
    { title: '\u200b\u202e', artist: 'Ada', year: 2024, comment: ' 00001F40 00001A2B' },
    'Somebody - Song.mp3',
    'House',
  )
  expect(fields).toEqual({
    title: 'Song',
    artist: 'Ada',
    genre: null,
    description: null,
    lyrics: null,
    tags: ['2024'],
  })
  expect(fieldsOfFile({}, 'Song.mp3', 'House')).toMatchObject({ title: 'Song', artist: 'House' })
  expect(fieldsOfFile({ year: 99_999 }, 'x'.repeat(400), 'House')).toMatchObject({
    title: 'x'.repeat(200),
    tags: [],
  })
})
