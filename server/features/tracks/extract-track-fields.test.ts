import { expect, test } from 'vitest'
import { extractTrackFields, readFilename } from './extract-track-fields.ts'

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
  ['Ada - Evenings - 01 Evening Song.flac', 'Ada', 'Evening Song'],
  ['Evening Song_e301b70f.mp3', undefined, 'Evening Song'],
  ['Evening Song - 1a2b3c4d.m4a', undefined, 'Evening Song'],
  [
    '20251103093000_Evening Song__0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c.m4a',
    undefined,
    'Evening Song',
  ],
  ['2025-11-03_evening-song_0f4b1c9e.mp3', undefined, 'evening-song'],
  ['2025-11-03 Evening Song.mp3', undefined, '2025-11-03 Evening Song'],
  ['Evening Song - Edificed.mp3', 'Evening Song', 'Edificed'],
  ['Evening Song 20250101.mp3', undefined, 'Evening Song 20250101'],
  ['0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c.mp3', undefined, '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c'],
  ['1999.mp3', undefined, '1999'],
  ['02.mp3', undefined, '02'],
  ['well-known.mp3', undefined, 'well-known'],
  ['Mr. Blue.mp3', undefined, 'Mr. Blue'],
  ['.mp3', undefined, 'Untitled'],
  [' - .wav', undefined, '-'],
  ['Ночь - Тихо.ogg', 'Ночь', 'Тихо'],
])('extracts title, artist and other fields: %s', (filename, artist, title) => {
  expect(readFilename(filename)).toEqual({ artist, title })
})

test('prefers tags to the file name, and ignores tags without visible characters', () => {
  const fields = extractTrackFields(
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
  const visit = { comment: 'Visit https://ada.bandcamp.com', albumArtist: 'Ada' }
  expect(extractTrackFields(visit, 'Song.mp3', 'House')).toMatchObject({
    description: null,
    artist: 'Ada',
  })
  const descriptionOf = (comment: string) =>
    extractTrackFields({ comment }, 'Song.mp3', '').description
  for (const comment of ['3', 'ABCD-6240', 'http://tool.example', 'Ripped by somebody']) {
    expect(descriptionOf(comment)).toBeNull()
  }
  for (const comment of ['Made on a train', '雨の夜に書いた']) {
    expect(descriptionOf(comment)).toBe(comment)
  }
  const id = { comment: '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c' }
  expect(extractTrackFields(id, 'Song.mp3', 'House').description).toBeNull()
  expect(extractTrackFields({}, 'Song.mp3', 'House')).toMatchObject({
    title: 'Song',
    artist: 'House',
  })
  expect(extractTrackFields({ year: 99_999 }, 'x'.repeat(400), 'House')).toMatchObject({
    title: 'x'.repeat(200),
    tags: [],
  })
})
