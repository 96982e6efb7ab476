// Tests the page of a release: discs, links, likes, and one loudness gain for all its tracks.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReleaseDetail } from '#contract/releases.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { trackPage } from '../../testing/playlist-fixture.ts'
import { makeTrackDetail, makeTracks, openedTracks } from '../../testing/track-fixture.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { initialPlayerState, usePlayer } from '../player/playback/player-store.ts'

beforeEach(() => {
  useToasts.setState({ toasts: [] })
  usePlayer.setState(initialPlayerState)
  // jsdom plays no media.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const places = [
  { disc: 1, position: 1 },
  { disc: 1, position: 2 },
  { disc: 2, position: 1 },
]
const release: ReleaseDetail = {
  id: '0191a0c0-0000-7000-8000-00000000aaaa',
  kind: 'album',
  title: 'Rooms by the Water',
  slug: 'rooms-by-the-water',
  share_url: '/r/rooms-by-the-water',
  artist: 'Mira Holt & Ida Sorrel',
  artists: [
    {
      id: '0191a0c0-0000-7000-8000-00000000bbbb',
      name: 'Mira Holt',
      slug: 'mira-holt',
      joiner: ' & ',
    },
    {
      id: '0191a0c0-0000-7000-8000-00000000cccc',
      name: 'Ida Sorrel',
      slug: 'ida-sorrel',
      joiner: '',
    },
  ],
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  release_date: '2026-10-09',
  track_count: 3,
  duration: 540,
  premium_only: false,
  early_access_until: null,
  created_at: '2026-10-01T10:00:00.000Z',
  is_liked: false,
  description: null,
  label: 'Velour Records',
  upc: '036000291452',
  album_loudness_lufs: -11,
  album_true_peak_dbtp: -1,
  tracks: makeTracks(3).map((track, at) => ({ ...track, ...places[at]! })),
}
const address = `/api/releases/${release.slug}`

function open(changes: Answers = {}, member = freeMember) {
  const answers = {
    [`GET ${address}`]: release,
    [`GET /api/releases/${release.id}/similar`]: { data: [] },
    ...openedTracks(makeTrackDetail(1), makeTrackDetail(3)),
    'GET /api/releases': { data: [release], next_cursor: null },
    ...changes,
  }
  return mountApp(`/releases/${release.slug}`, answers, member)
}

test('shows facts, links to the artists, and a heading for each disc', async () => {
  open()
  await screen.findByRole('heading', { name: release.title, level: 1 })
  const link = screen.getByRole('link', { name: 'Mira Holt' })
  expect(link.getAttribute('href')).toBe('/artists/mira-holt')
  expect(link.parentElement?.textContent).toBe('Mira Holt & Ida Sorrel')
  expect(screen.getByText('9 min')).toBeDefined()
  expect(screen.getByText('Velour Records')).toBeDefined()
  const discs = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(discs.slice(0, 2)).toEqual(['Disc 1', 'Disc 2'])
})

test("plays in order with the release's gain, and pauses with the same button", async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Play' }))
  const { queue, source } = usePlayer.getState()
  expect(source).toBe(release.title)
  expect(queue.entries.map(({ track }) => track.id)).toEqual(release.tracks.map(({ id }) => id))
  expect(queue.entries.map(({ track }) => track.album_loudness_lufs)).toEqual([-11, -11, -11])
  // Use the button in the head: the player bar has one, too.
  const [pause] = await screen.findAllByRole('button', { name: 'Pause' })
  await user.click(pause!)
  expect(usePlayer.getState().playing).toBe(false)
})

test('starts playback at the chosen track of the second disc', async () => {
  const { user } = open()
  const disc = within(await screen.findByRole('list', { name: `Disc 2 of ${release.title}` }))
  await user.click(await disc.findByRole('button', { name: /^Play / }))
  const { queue } = usePlayer.getState()
  expect(queue.index).toBe(2)
})

test('shows a like immediately, and rolls it back when the server rejects it', async () => {
  const { user, answers } = open({
    [`PUT /api/releases/${release.id}/like`]: errorAnswer(
      404,
      'release_not_found',
      'Release not found',
    ),
  })
  const heart = () => screen.findByRole('button', { name: `Like ${release.title}` })
  await user.click(await heart())
  await waitFor(() => expect(useToasts.getState().toasts).toHaveLength(1))
  expect((await heart()).getAttribute('aria-pressed')).toBe('false')
  answers[`PUT /api/releases/${release.id}/like`] = undefined
  answers[`GET ${address}`] = { ...release, is_liked: true }
  await user.click(await heart())
  await waitFor(async () => expect((await heart()).getAttribute('aria-pressed')).toBe('true'))
})

const inEarlyAccess = { premium_only: false, early_access_until: '2090-12-04T12:00:00.000Z' }

test.each([
  [false, 'Early access for Premium: for everyone from Mon, Dec 4, 2090.'],
  [true, 'Early access: for everyone from Mon, Dec 4, 2090.'],
])(
  'shows the end of early access on the head, rows and cards (Premium: %s)',
  async (is_premium, sentence) => {
    const early = {
      ...release,
      ...inEarlyAccess,
      tracks: release.tracks.map((track) => ({ ...track, ...inEarlyAccess })),
    }
    const other = { ...early, id: '0191a0c0-0000-7000-8000-00000000dddd', slug: 'other' }
    open(
      {
        [`GET ${address}`]: early,
        'GET /api/releases': { data: [early, other], next_cursor: null },
      },
      { ...freeMember, is_premium },
    )
    expect(await screen.findByText(sentence)).toBeDefined()
    const mark = is_premium ? 'Early access' : 'For everyone from Mon, Dec 4, 2090'
    const marks = () =>
      [...document.querySelectorAll('[data-tooltip]')].filter(
        ({ textContent }) => textContent === mark,
      )
    // The text appears on three rows, and on the card of another release.
    await waitFor(() => expect(marks()).toHaveLength(4))
    expect(await screen.findAllByRole('button', { name: /^Play Track/ })).toHaveLength(3)
  },
)

test('shows a message for an unknown release', async () => {
  open({ [`GET ${address}`]: errorAnswer(404, 'release_not_found', 'Release not found') })
  expect(await screen.findByRole('heading', { name: 'Release not found' })).toBeDefined()
})

test('starts a radio station from the release, and lists similar tracks', async () => {
  const [similar] = trackPage(4).data.slice(3)
  const { user, requests } = open({
    ...openedTracks(makeTrackDetail(5)),
    [`GET /api/releases/${release.id}/similar`]: {
      data: [{ track: similar!.track, reason: 'same mood: dark ambient' }],
    },
    'POST /api/radio': {
      title: `Radio: similar to ${release.title}`,
      data: trackPage(6)
        .data.slice(4)
        .map(({ track }) => track),
    },
  })
  const section = within(await screen.findByRole('region', { name: 'More like this' }))
  expect(section.getByText('same mood: dark ambient')).toBeDefined()
  const [button] = screen.getAllByRole('button', { name: 'Start radio' })
  await user.click(button!)
  await waitFor(() => expect(usePlayer.getState().queue.entries).toHaveLength(2))
  const asked = requests.find(({ operation }) => operation === 'POST /api/radio')
  expect(asked?.body).toMatchObject({ seed: { kind: 'release', id: release.id } })
})
