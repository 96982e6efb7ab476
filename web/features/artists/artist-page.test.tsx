// The page of an artist, and the links to it.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ArtistDetail } from '#contract/artists.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makeArtist } from '../../testing/catalogue-fixture.ts'
import { makeTracks } from '../../testing/track-fixture.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const ids = ['0191a0c0-0000-7000-8000-0000000000b1', '0191a0c0-0000-7000-8000-0000000000b2']
const credit = (at: number, role: 'main' | 'featured', joiner = '') => ({
  id: ids[at]!,
  name: ['Mira Holt', 'Guest'][at]!,
  slug: ['mira-holt', 'guest'][at]!,
  role,
  credited_as: null,
  joiner,
})
const tracks = makeTracks(2).map((track) => ({
  ...track,
  artist: 'Mira Holt feat. Guest',
  artists: [credit(0, 'main', ' feat. '), credit(1, 'featured')],
}))
const mira: ArtistDetail = {
  ...makeArtist(),
  is_followed: false,
  biography: 'Plays at night.',
  links: [{ label: 'Website', url: 'https://example.com' }],
  top_tracks: tracks,
  appears_on: [],
  related: [makeArtist({ id: ids[1]!, name: 'Guest', slug: 'guest' })],
}

function open(path: string, changes: Answers = {}) {
  const answers = {
    'GET /api/artists/mira-holt': mira,
    'GET /api/tracks': { data: tracks, next_cursor: null, total: 2 },
    ...changes,
  }
  return mountApp(path, answers, freeMember)
}

test('shows the artist, and links to each artist of a track', async () => {
  open('/artists/mira-holt')
  expect(await screen.findByRole('heading', { level: 1, name: 'Mira Holt' })).toBeTruthy()
  screen.getByText('Plays at night.')
  expect(screen.getByRole('link', { name: 'Website' }).getAttribute('rel')).toContain('noopener')
  const list = await screen.findByRole('list', { name: 'Popular tracks of Mira Holt' })
  const first = within(within(list).getAllByRole('listitem')[0]!)
  const addresses = first.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(addresses).toEqual(['/artists/mira-holt', '/artists/guest'])
  first.getByText(/Mira Holt/)
  expect(within(list).getAllByRole('listitem')[0]!.textContent).toContain('Mira Holt feat. Guest')
})

test('starts a radio station from the artist', async () => {
  const { user, requests } = open('/artists/mira-holt', {
    'POST /api/radio': { title: 'Radio: similar to Mira Holt', data: [] },
  })
  await user.click(await screen.findByRole('button', { name: 'Start radio' }))
  await waitFor(() => {
    const asked = requests.find(({ operation }) => operation === 'POST /api/radio')
    expect(asked?.body).toMatchObject({ seed: { kind: 'artist', id: mira.id } })
  })
})

test('shows the artist as followed immediately, and rolls back when the server rejects it', async () => {
  const { user, answers, requests } = open('/artists/mira-holt', {
    [`PUT /api/artists/${mira.id}/follow`]: errorAnswer(403, 'follow_limit_reached', 'Too many'),
  })
  const button = await screen.findByRole('button', { name: 'Follow Mira Holt' })
  await user.click(button)
  expect(await screen.findByText('Too many')).toBeTruthy()
  expect(button.textContent).toBe('Follow')
  answers[`PUT /api/artists/${mira.id}/follow`] = undefined
  answers['GET /api/artists/mira-holt'] = { ...mira, is_followed: true }
  await user.click(button)
  await screen.findByRole('button', { name: 'Following Mira Holt' })
  expect(requests.filter(({ operation }) => operation.endsWith('/follow'))).toHaveLength(2)
})

test('redirects from a former URL of the artist to the current one', async () => {
  const { router } = open('/artists/old-name', { 'GET /api/artists/old-name': mira })
  await waitFor(() => expect(router.state.location.pathname).toBe('/artists/mira-holt'))
})

test('shows a message for an unknown artist, and a retry button when loading fails', async () => {
  const { router, answers, user } = open('/artists/nobody', {
    'GET /api/artists/nobody': errorAnswer(404, 'artist_not_found', 'Artist not found'),
    'GET /api/artists/mira-holt': errorAnswer(400, 'invalid_input', 'No'),
  })
  await screen.findByRole('heading', { name: 'Artist not found' })
  await router.navigate('/artists/mira-holt')
  const retry = await screen.findByRole('button', { name: /Retry|Try again/ })
  answers['GET /api/artists/mira-holt'] = mira
  await user.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'Mira Holt' })).toBeTruthy()
})

test('lists artists in Browse, and shows an empty state when none match', async () => {
  const { answers, user } = open('/browse?view=artists', {
    'GET /api/artists': { data: mira.related, next_cursor: null },
  })
  const card = await screen.findByRole('link', { name: /Guest/ })
  expect(card.getAttribute('href')).toBe('/artists/guest')
  answers['GET /api/artists'] = { data: [], next_cursor: null }
  await user.type(screen.getByRole('textbox', { name: /Search/ }), 'zzz')
  expect(await screen.findByText('No artists found')).toBeTruthy()
})
