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
  expect(readManifest(text, 'release')).toEqual({
    album: 'Night Work (Extended)',
    albumArtist: 'Mira, Tom',
    artist: 'Mira',
    year: 2024,
  })
})

test.each(['', '-- more\ntitle: X', 'date: soon', '\0'.repeat(5000)])(
  'returns no fields for %j',
  (text) => {
    expect(readManifest(text, 'release')).toEqual({})
  },
)

test('reads title and labeled lyrics of a track', () => {
  const text = [
    '  ',
    'more_label: Lyrics    ',
    'title: Good Neighbours',
    'cover:',
    'file = square.jpg',
    '--more    ',
    'Verse 1  ',
    'We trimmed the hedge',
    '',
    'Chorus',
    '- oh',
    '--more    ',
  ].join('\n')
  expect(readManifest(text, 'track')).toEqual({
    title: 'Good Neighbours',
    lyrics: 'Verse 1\nWe trimmed the hedge\n\nChorus\n- oh',
  })
  expect(readManifest(text.replace('Lyrics', 'Liner Notes'), 'track').lyrics).toBeUndefined()
})
