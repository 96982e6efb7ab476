// Tests a user's own playlist, opened in place and edited.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { makePlaylist, playlistId, trackPage } from '../../testing/playlist-fixture.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const address = `/api/playlists/${playlistId}`

function open(count: number, changes: Answers = {}) {
  const answers = {
    'GET /api/playlists': { data: [makePlaylist(count)], next_cursor: null },
    [`GET ${address}`]: makePlaylist(count),
    [`GET ${address}/tracks`]: trackPage(count),
    ...changes,
  }
  return mountApp(`/my-playlists?playlist=${playlistId}`, answers, freeMember)
}

const toasts = () => useToasts.getState().toasts.map(({ title }) => title)
const focusedName = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
const findRemoveButton = async () =>
  within(await screen.findByRole('alertdialog', { name: 'Remove Track?' })).getByRole('button', {
    name: 'Remove',
  })

test('shows the success message after the last track is removed, even if the list is empty before the refetch completes', async () => {
  let answerHead = () => {}
  const { user, answers } = open(1, {
    [`DELETE ${address}/tracks/${trackPage(1).data[0]!.id}`]: () => {
      answers[`GET ${address}/tracks`] = trackPage(0)
      answers[`GET ${address}`] = () =>
        new Promise((resolve) => {
          answerHead = () => resolve(makePlaylist(0))
        })
      return undefined
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove Track 1' }))
  await user.click(await findRemoveButton())
  await screen.findByText('This playlist is empty')
  answerHead()
  await waitFor(() => expect(toasts()).toContain('Track removed from playlist'))
  await waitFor(() => expect(document.querySelector('dialog[open]')).toBeNull())
})

test('moves the focus to the next row after a row is removed by key, and to Add Track after the last row', async () => {
  const removal = (left: unknown) => () => {
    answers[`GET ${address}/tracks`] = left
    return undefined
  }
  const trackAddress = (at: number) => `DELETE ${address}/tracks/${trackPage(3).data[at]!.id}`
  const { user, answers } = open(3, {
    [trackAddress(0)]: removal(trackPage(2, 1)),
    [trackAddress(1)]: removal(trackPage(1, 2)),
    [trackAddress(2)]: removal(trackPage(0)),
  })
  ;(await screen.findByRole('button', { name: 'Remove Track 1' })).focus()
  for (const next of ['Remove Track 2', 'Remove Track 3']) {
    await user.keyboard('{Enter}{Tab} ')
    await waitFor(() => expect(focusedName()).toBe(next))
  }
  await user.keyboard('{Enter}{Tab} ')
  await waitFor(() => expect(focusedName()).toBe('Add Track'))
  expect(screen.getByText('This playlist is empty')).toBeDefined()
})

async function openEditor(inIt: number, found: number) {
  const view = mountApp(
    `/playlist/${playlistId}`,
    {
      [`GET /api/playlists/${playlistId}`]: makePlaylist(inIt),
      [`GET /api/playlists/${playlistId}/tracks`]: trackPage(inIt),
      'GET /api/tracks': {
        data: trackPage(found).data.map(({ track }) => track),
        next_cursor: null,
        total: found,
      },
    },
    freeMember,
  )
  await view.user.type(await screen.findByLabelText('Search tracks to add'), 'track{Enter}')
  return view
}

test('moves the focus to the next result after Add, to the next row after Remove, then to the search', async () => {
  const { user } = await openEditor(2, 4)
  ;(await screen.findByRole('button', { name: 'Add Track 3' })).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Add Track 4'))
  await user.keyboard(' ')
  const search = screen.getByLabelText('Search tracks to add')
  await waitFor(() => expect(document.activeElement).toBe(search))

  const rows = within(screen.getByRole('list', { name: 'Tracks in this playlist' }))
  rows.getByRole('button', { name: 'Remove Track 3' }).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Remove Track 4'))
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Remove Track 2'))
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Remove Track 1'))
  await user.keyboard(' ')
  await screen.findByText('This playlist is empty')
  await waitFor(() => expect(document.activeElement).toBe(search))
})

test('keeps the search result and its focus when the playlist is full', async () => {
  const { user } = await openEditor(10, 12)
  const add = await screen.findByRole('button', { name: 'Add Track 11' })
  add.focus()
  await user.keyboard(' ')
  await user.click(await screen.findByRole('button', { name: 'Not Now' }))
  expect(document.activeElement).toBe(add)
})
