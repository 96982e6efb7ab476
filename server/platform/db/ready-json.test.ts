import { expect, test } from 'vitest'
import { JsonText, serializeResponse } from './ready-json.ts'
import type { listRecentlyPlayed } from '#contract/plays.ts'
import type { listTracks, Track } from '#contract/tracks.ts'

test('inserts parts that are already JSON and serializes the rest', () => {
  const rows = ['{"title":"a \\"b\\""}', '{"title":"ü"}'].map((row) => new JsonText<Track>(row))
  const { text } = serializeResponse<typeof listTracks>({
    data: rows,
    next_cursor: 'x"y',
    total: null,
  })
  expect(JSON.parse(text)).toEqual({
    data: [{ title: 'a "b"' }, { title: 'ü' }],
    next_cursor: 'x"y',
    total: null,
  })
  expect(serializeResponse<typeof listRecentlyPlayed>({ data: [] }).text).toBe('{"data":[]}')
})
