// Sharing a playlist: inviting, joining, and the actions of each role.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makePlaylist, playlistId, trackPage } from '../../testing/playlist-fixture.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const address = `/api/playlists/${playlistId}`
const otherId = '0191a0c0-0000-7000-8000-0000000000bb'
const person = { avatar_url: null, joined_at: null }
const owner = { ...person, id: freeMember.id, display_name: 'Ada', role: 'owner', is_you: true }
const ben = { ...person, id: otherId, display_name: 'Ben', role: 'viewer', is_you: false }
const guest = { is_own: false, role: 'editor', shared_with: 1, owner_name: 'Ben' } as const

function open(changes: Partial<ReturnType<typeof makePlaylist>> = {}, answers: Answers = {}) {
  const playlist = { ...makePlaylist(2), ...changes }
  const { data, total } = trackPage(2)
  return mountApp(
    `/my-playlists?playlist=${playlistId}`,
    {
      'GET /api/playlists': { data: [playlist], next_cursor: null },
      [`GET ${address}`]: playlist,
      [`GET ${address}/tracks`]: { data: data.map((one) => ({ ...one, added_by: 'Ben' })), total },
      [`GET ${address}/members`]: { data: [owner, ben], invitations: [] },
      ...answers,
    },
    freeMember,
  )
}

test('lets the owner create a link, shows its URL once, changes a role and removes a member', async () => {
  const made = { role: 'editor', created_at: '2026-11-25T08:00:00.000Z' }
  const invitation = { ...made, expires_at: '2026-12-09T08:00:00.000Z' }
  const { user, requests, answers } = open(
    { shared_with: 1 },
    {
      [`POST ${address}/invitations`]: () => {
        answers[`GET ${address}/members`] = { data: [owner, ben], invitations: [invitation] }
        return { ...invitation, token: 'secret-token' }
      },
    },
  )
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Share this playlist' }))
  await user.click(await dialog.findByRole('button', { name: 'Create link: Can edit' }))
  const link = await dialog.findByText(/#invite=secret-token$/)
  expect(link.textContent).toContain('/my-playlists#invite=')
  await user.selectOptions(dialog.getByLabelText('Role of Ben'), 'editor')
  await waitFor(() =>
    expect(requests).toContainEqual(
      expect.objectContaining({
        operation: `PATCH ${address}/members/${otherId}`,
        body: { role: 'editor' },
      }),
    ),
  )
  await user.click(dialog.getByRole('button', { name: 'Remove Ben' }))
  await waitFor(() =>
    expect(requests.map(({ operation }) => operation)).toContain(
      `DELETE ${address}/members/${otherId}`,
    ),
  )
})

test("lets an editor change tracks and undo, but hides the owner's actions", async () => {
  const { user, requests } = open(guest, { [`POST ${address}/undo`]: makePlaylist(1) })
  expect(await screen.findByText('Shared by Ben')).toBeDefined()
  await screen.findByRole('button', { name: 'Remove Track 1' })
  expect(screen.getAllByText('Added by Ben').length).toBeGreaterThan(0)
  expect(screen.getByRole('button', { name: 'Add Track' })).toBeDefined()
  for (const name of ['Edit', 'Delete', 'Share']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
  await user.click(screen.getByRole('button', { name: 'Undo My Change' }))
  await waitFor(() =>
    expect(useToasts.getState().toasts.map(({ title }) => title)).toContain(
      'Your last change was undone',
    ),
  )
  expect(requests.map(({ operation }) => operation)).toContain(`POST ${address}/undo`)
})

test('hides add and remove from a viewer, who can leave the playlist', async () => {
  const { user, requests, router } = open({ ...guest, role: 'viewer' })
  expect(await screen.findByText('Shared by Ben')).toBeDefined()
  await screen.findByText('Track 1')
  for (const name of ['Add Track', 'Undo My Change', 'Remove Track 1']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
  await user.click(screen.getByRole('button', { name: 'Leave' }))
  const question = await screen.findByRole('alertdialog', { name: 'Leave this playlist?' })
  await user.click(within(question).getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(requests.map(({ operation }) => operation)).toContain(
    `DELETE ${address}/members/${freeMember.id}`,
  )
})

const invitation = {
  playlist_id: playlistId,
  title: 'Evening',
  track_count: 2,
  owner_name: 'Ben',
  role: 'editor',
  own_role: null,
}

test('asks for confirmation before joining by a link, then opens the playlist', async () => {
  const { user, requests, router } = mountApp(
    '/my-playlists#invite=secret-token',
    {
      'GET /api/playlists': { data: [], next_cursor: null },
      'POST /api/playlist-invitations/open': invitation,
      'POST /api/playlist-invitations/accept': { ...makePlaylist(2), ...guest },
      [`GET ${address}`]: { ...makePlaylist(2), ...guest },
      [`GET ${address}/tracks`]: trackPage(2),
    },
    freeMember,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Join “Evening”?' }))
  expect(dialog.getByText(/Ben is sharing 2 tracks with you/)).toBeDefined()
  const accepted = () =>
    requests.filter(({ operation }) => operation === 'POST /api/playlist-invitations/accept')
  expect(accepted()).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Join' }))
  await waitFor(() => expect(router.state.location.search).toBe(`?playlist=${playlistId}`))
  expect(accepted()[0]?.body).toEqual({ token: 'secret-token' })
  expect(router.state.location.hash).toBe('')
})

test('shows a message for a revoked link', async () => {
  mountApp(
    '/my-playlists#invite=old-token',
    {
      'GET /api/playlists': { data: [], next_cursor: null },
      'POST /api/playlist-invitations/open': () =>
        Response.json(
          { error: { code: 'invitation_invalid', message: 'This invitation is no longer valid.' } },
          { status: 404 },
        ),
    },
    freeMember,
  )
  expect(
    await screen.findByRole('dialog', { name: 'This invitation could not be opened' }),
  ).toBeDefined()
})
