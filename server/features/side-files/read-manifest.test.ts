import { expect, test } from 'vitest'
import { readManifest } from './read-manifest.ts'

test('reads title, artists and year of a release', () => {
  const text = [
    '\uFEFFtitle: Night Work (Extended)',
    'permalink: night-work',
    'date: 2024-11-03',
    'release_artists:',
    '- Mira',
    '- Tom',
    '',
    'cover:',
    'description = A tree',
    '-- more',
    'title: no field of the release',
    '-- more',
    'track_artist: Mira',
  ].join('\r\n')
  expect(readManifest(text)).toEqual({
    album: 'Night Work (Extended)',
    albumArtist: 'Mira, Tom',
    artist: 'Mira',
    year: 2024,
  })
})

test.each(['', '-- more\ntitle: X', 'date: soon', '\0'.repeat(5000)])(
  '%j has no fields',
  (text) => {
    expect(readManifest(text)).toEqual({})
  },
)
