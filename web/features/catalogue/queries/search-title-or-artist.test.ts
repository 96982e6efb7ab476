import { afterEach, expect, test, vi } from 'vitest'
import { makeTracks } from '../../../testing/track-fixture.ts'
import { searchTitleOrArtist } from './search-title-or-artist.ts'

afterEach(() => vi.unstubAllGlobals())

/** Responds with these pages in order; returns the requests' parameters. */
function answer(pages: unknown[][]): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://velour.test').searchParams)
    const data = pages[asked.length - 1]
    return Response.json({ data, next_cursor: asked.length < pages.length ? 'more' : null })
  })
  return asked
}

const all = makeTracks(600)
const pages = [all.slice(0, 200), all.slice(200, 400), all.slice(400)]

test('requests no further page once 200 tracks match', async () => {
  const asked = answer(pages)
  expect(await searchTitleOrArtist('TRACK', { without: new Set() })).toHaveLength(200)
  expect(asked.map((query) => query.get('limit'))).toEqual(['200'])
  // Without `order` the server sorts by relevance.
  expect(asked[0]!.get('order')).toBeNull()
})

test('requests further pages if matches are already in the playlist, and returns those as well', async () => {
  const asked = answer(pages)
  const without = new Set(all.slice(0, 250).map(({ id }) => id))
  const found = await searchTitleOrArtist('track', { without })
  expect(asked.map((query) => query.get('cursor'))).toEqual([null, 'more', 'more'])
  expect(found).toHaveLength(600)
})

test('ignores case and accents, and omits tracks that match only by genre', async () => {
  const [first, second, third] = makeTracks(3)
  answer([
    [
      { ...first!, title: 'Ångström' },
      { ...second!, artist: 'The ÅNGSTRÖM Band' },
      { ...third!, genre: 'angstrom' },
    ],
  ])
  const found = await searchTitleOrArtist('angstrom', { without: new Set() })
  expect(found.map(({ id }) => id)).toEqual([first!.id, second!.id])
})
