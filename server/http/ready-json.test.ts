import { expect, test } from 'vitest'
import { JsonText, readyJson } from './ready-json.ts'
import type { listRecentlyPlayed } from '#contract/plays.ts'
import type { listTracks, Track } from '#contract/tracks.ts'

test('what is written already stands in the answer as it is; the rest is written as ever', () => {
  const rows = ['{"title":"a \\"b\\""}', '{"title":"ü"}'].map((text) => new JsonText<Track>(text))
  const { bytes } = readyJson<typeof listTracks>({ data: rows, next_cursor: 'x"y', total: null })
  expect(JSON.parse(bytes.toString())).toEqual({
    data: [{ title: 'a "b"' }, { title: 'ü' }],
    next_cursor: 'x"y',
    total: null,
  })
  expect(readyJson<typeof listRecentlyPlayed>({ data: [] }).bytes.toString()).toBe('{"data":[]}')
})
