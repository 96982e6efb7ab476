import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { useLostSession } from '../../base/api/lost-session.ts'
import { makePlaylist, playlistId, trackPage } from '../../testing/playlist-fixture.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  // Drafts must not leak into the next test.
  localStorage.clear()
  useLostSession.setState({ member: null })
  cleanup()
  vi.unstubAllGlobals()
})

const id = playlistId
const playlist = makePlaylist(0)
const unauthenticated = errorAnswer(401, 'unauthenticated', 'Authentication required')

/** Opens an edit form, ends the session and presses Save. */
async function loseSession(more: Answers = {}) {
  const app = mountApp(
    `/playlist/${id}`,
    {
      [`GET /api/playlists/${id}`]: playlist,
      [`GET /api/playlists/${id}/tracks`]: trackPage(0),
      'GET /api/playlists': { data: [playlist] },
      ...more,
    },
    freeMember,
  )
  const title = await screen.findByRole('textbox', { name: 'Title' })
  await app.user.clear(title)
  await app.user.type(title, 'Late evening')
  app.answers['GET /api/profile'] = { data: null }
  app.answers[`PATCH /api/playlists/${id}`] = unauthenticated
  await app.user.click(screen.getByRole('button', { name: 'Save Changes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'You have been signed out' }))
  return { ...app, dialog, title }
}

const toasts = () =>
  useToasts.getState().toasts.map(({ title, message }) => [title, message].join(' | '))

test('keeps a form with unsaved changes mounted below the dialog, without a toast', async () => {
  const { dialog, title, router } = await loseSession()
  expect(dialog.getByText(/Your changes to this playlist are still here/)).toBeDefined()
  const email = dialog.getByRole('textbox', { name: 'Email' })
  expect(email.getAttribute('value')).toBe(freeMember.email)
  expect(email.hasAttribute('readonly')).toBe(true)
  expect(title.isConnected).toBe(true)
  expect(title.getAttribute('value')).toBe('Late evening')
  expect(router.state.location.pathname).toBe(`/playlist/${id}`)
  expect(toasts()).toEqual([])
})

test('keeps the form after the user signs in again, and saves it on Save Changes', async () => {
  const { user, dialog, title, answers, requests } = await loseSession({
    'POST /api/auth/sign-in/email': () => {
      answers['GET /api/profile'] = { data: freeMember }
      answers[`PATCH /api/playlists/${id}`] = { ...playlist, title: 'Late evening' }
      return { twoFactorRedirect: false }
    },
  })
  await user.type(dialog.getByLabelText('Password'), 'correct horse{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(requests.find(({ operation }) => operation.endsWith('sign-in/email'))?.body).toEqual({
    email: freeMember.email,
    password: 'correct horse',
  })
  expect(title.isConnected).toBe(true)
  expect(title.getAttribute('value')).toBe('Late evening')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(toasts()).toContain('Changes saved successfully | '))
})

test('requests the second factor in the same dialog', async () => {
  const { user, dialog, title, answers } = await loseSession({
    'POST /api/auth/sign-in/email': { twoFactorRedirect: true },
    'POST /api/auth/two-factor/verify-totp': () => {
      answers['GET /api/profile'] = { data: freeMember }
      return { status: true }
    },
  })
  await user.type(dialog.getByLabelText('Password'), 'correct horse{Enter}')
  await user.type(await dialog.findByLabelText('Authentication code'), '123456{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(title.isConnected).toBe(true)
})

test('keeps the dialog open after a wrong password and Escape', async () => {
  const { user, dialog } = await loseSession({
    'POST /api/auth/sign-in/email': errorAnswer(401, 'invalid_credentials', 'Invalid password'),
  })
  await user.type(dialog.getByLabelText('Password'), 'wrong horse{Enter}')
  await waitFor(() => expect(toasts()).toContain('Error | Invalid password'))
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'You have been signed out' })).toBeDefined()
})

test('lets another user sign in on the sign-in screen, which returns to the page', async () => {
  const { user, dialog, router } = await loseSession()
  await user.click(dialog.getByRole('button', { name: 'Sign in as someone else' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ next: `/playlist/${id}` })}`)
})

test('never shows the form to another user who signs in elsewhere', async () => {
  const { user, title, answers } = await loseSession({
    'POST /api/auth/sign-in/email': () => {
      answers['GET /api/profile'] = {
        data: { ...freeMember, id: freeMember.id.replace(/a$/, 'b') },
      }
      return { twoFactorRedirect: false }
    },
  })
  answers[`GET /api/playlists/${id}`] = errorAnswer(404, 'playlist_not_found', 'Not found')
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
  await waitFor(() => expect(title.isConnected).toBe(false))
})

test('redirects to sign-in with one message when there are no unsaved changes', async () => {
  const { user, router, answers } = mountApp(
    `/playlist/${id}`,
    {
      [`GET /api/playlists/${id}`]: playlist,
      [`GET /api/playlists/${id}/tracks`]: trackPage(0),
      'GET /api/tracks': unauthenticated,
    },
    freeMember,
  )
  const search = await screen.findByPlaceholderText('Search tracks...')
  answers['GET /api/profile'] = { data: null }
  await user.type(search, 'velvet{Enter}')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(toasts()).toEqual(['You have been signed out | Please sign in to continue listening.'])
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ next: `/playlist/${id}` })}`)
})
