import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { admin, errorAnswer, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'
import { makeAdminTrack } from '../../testing/track-fixture.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const dusk = makeAdminTrack(1, {
  title: 'Dusk',
  artist: 'Ida Sorrel',
  category: 'focus',
  categories: ['focus'],
  moods: [],
  genre: 'Ambient',
  tags: ['calm'],
  duration: 187,
})
const oneTrack: Answers = {
  'GET /api/admin-tracks': onePage([dusk]),
  [`GET /api/admin-tracks/${dusk.id}`]: dusk,
  [`GET /api/admin-tracks/${dusk.id}/versions`]: { data: [], proposals: [] },
}
const toastTexts = () =>
  useToasts.getState().toasts.map(({ title, message }) => [title, message].join(' | '))

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('shows different columns on /admin/library and /admin/tracks', async () => {
  const columns = async () => {
    await screen.findByRole('rowheader')
    return screen.getAllByRole('columnheader').map((cell) => cell.textContent)
  }
  mountApp('/admin/library', oneTrack, admin)
  expect(await screen.findByText('All Tracks (1)')).toBeDefined()
  expect((await columns()).slice(1)).toEqual([
    'Title',
    'Artist',
    'Duration',
    'Category',
    'Published',
    'Actions',
  ])
  cleanup()
  mountApp('/admin/tracks', oneTrack, admin)
  expect(await screen.findByRole('heading', { name: 'Tracks (1 total)' })).toBeDefined()
  expect((await columns()).slice(1)).toEqual([
    'Track',
    'Category',
    'Genre',
    'Duration',
    'Uploaded',
    'Visible',
    'Actions',
  ])
})

test('reports a missing title, then a missing recording, in the words of each screen', async () => {
  const { user } = mountApp(
    '/admin/tracks',
    { ...oneTrack, 'GET /api/admin-tracks': onePage([]) },
    admin,
  )
  const [open] = await screen.findAllByRole('button', { name: 'Add Track' })
  if (open) await user.click(open)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Track' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Artist').value).toBe('Velour')
  await user.click(dialog.getByRole('button', { name: 'Add Track' }))
  expect(toastTexts()).toContain('Validation Error | Title is required')
  const title = dialog.getByLabelText('Title')
  await waitFor(() => expect(document.activeElement).toBe(title))
  await user.type(title, 'Dawn')
  await user.click(dialog.getByRole('button', { name: 'Add Track' }))
  expect(toastTexts()).toContain('Audio file required | Please upload an audio file')
})

test('opens the track given in the URL, and keeps the typed text when the server rejects it', async () => {
  const { user, router, answers, requests } = mountApp(
    `/admin/library?edit=${dusk.id}`,
    {
      ...oneTrack,
      [`PATCH /api/admin-tracks/${dusk.id}`]: errorAnswer(
        404,
        'category_not_found',
        'Category not found',
      ),
    },
    admin,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Track' }))
  expect(await dialog.findByText('Leave empty to keep current file')).toBeDefined()
  const title = dialog.getByLabelText<HTMLInputElement>('Title')
  await user.clear(title)
  await user.type(title, 'Late Dusk')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(toastTexts()).toContain('Error | Failed to save track. Category not found'),
  )
  expect(title.value).toBe('Late Dusk')

  answers[`PATCH /api/admin-tracks/${dusk.id}`] = { ...dusk, title: 'Late Dusk' }
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  const sent = requests.findLast(({ operation }) => operation.startsWith('PATCH'))?.body
  // Only the changed field is sent, so that the measured duration and changes by another admin are kept.
  expect(sent).toEqual({ title: 'Late Dusk', version: 1 })
})

test('moves the publish switch back when the server rejects the change', async () => {
  const { user, requests } = mountApp(
    '/admin/library',
    {
      ...oneTrack,
      [`POST /api/admin-tracks/${dusk.id}/unpublish`]: errorAnswer(
        404,
        'track_not_found',
        'Track not found',
      ),
    },
    admin,
  )
  const publish = await screen.findByRole<HTMLInputElement>('switch', { name: 'Publish Dusk' })
  await user.click(publish)
  await waitFor(() =>
    expect(toastTexts()).toContain('Error | Failed to update track. Track not found'),
  )
  expect(requests.some(({ operation }) => operation.endsWith('/unpublish'))).toBe(true)
  await waitFor(() => expect(publish.checked).toBe(true))
})

test('asks for confirmation of a deletion in the words of the specification', async () => {
  const { user, answers, requests } = mountApp(
    '/admin/library',
    {
      ...oneTrack,
      'POST /api/admin-tracks': () => {
        answers['GET /api/admin-tracks'] = onePage([])
        return { data: null }
      },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for Dusk' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog', { name: 'Delete Dusk' })
  expect(question.textContent).toContain('Are you sure you want to delete this track?')
  await user.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(
    await screen.findByText('No tracks found. Add your first track to get started.'),
  ).toBeDefined()
  expect(requests.find(({ operation }) => operation === 'POST /api/admin-tracks')?.body).toEqual({
    action: 'delete',
    id: dusk.id,
  })
})

test('restores a deleted track with Undo in the toast', async () => {
  const { user, answers, requests } = mountApp(
    '/admin/library',
    {
      ...oneTrack,
      'POST /api/admin-tracks': () => {
        answers['GET /api/admin-tracks'] = onePage([])
        return { data: null }
      },
      'POST /api/admin-tracks/restore': () => {
        answers['GET /api/admin-tracks'] = onePage([dusk])
        return { data: [dusk.id] }
      },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for Dusk' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog', { name: 'Delete Dusk' })
  await user.click(within(question).getByRole('button', { name: 'Delete' }))
  await screen.findByText('No tracks found. Add your first track to get started.')
  expect(toastTexts()).toContain('Track deleted successfully | Dusk')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('rowheader', { name: /Dusk/ })).toBeDefined()
  expect(toastTexts()).toContain('Track restored | Dusk')
  expect(requests.find(({ operation }) => operation.endsWith('/restore'))?.body).toEqual({
    ids: [dusk.id],
  })
})

test('shows an error when Undo comes too late', async () => {
  const { user } = mountApp(
    '/admin/library',
    {
      ...oneTrack,
      'POST /api/admin-tracks': { data: null },
      'POST /api/admin-tracks/restore': errorAnswer(
        410,
        'undo_expired',
        'This can no longer be undone.',
      ),
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for Dusk' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog', { name: 'Delete Dusk' })
  await user.click(within(question).getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(toastTexts()).toContain(
      'Error | Failed to restore track. This can no longer be undone.',
    ),
  )
})

test('shows an error and a retry button when the list fails to load', async () => {
  const { user, answers } = mountApp(
    '/admin/tracks',
    { ...oneTrack, 'GET /api/admin-tracks': errorAnswer(500, 'internal', 'Something broke.') },
    admin,
  )
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(toastTexts()).toContain('Error loading data | Failed to load tracks')
  answers['GET /api/admin-tracks'] = onePage([dusk])
  await user.click(retry)
  expect(await screen.findByRole('rowheader', { name: /Dusk/ })).toBeDefined()
})

test('disables "Select all" until there are tracks to select', async () => {
  const loaded = Promise.withResolvers<unknown>()
  const { user } = mountApp(
    '/admin/tracks',
    { ...oneTrack, 'GET /api/admin-tracks': () => loaded.promise },
    admin,
  )
  const chooseAll = () =>
    screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select all tracks on this page' })
  expect((await chooseAll()).disabled).toBe(true)
  loaded.resolve(onePage([dusk]))
  await screen.findByRole('rowheader')
  await user.click(await chooseAll())
  expect(await screen.findByRole('region', { name: 'Selected tracks' })).toBeDefined()
})

test('schedules a track in a time zone, and marks scheduled, early-access and Premium-only tracks', async () => {
  const patch = `PATCH /api/admin-tracks/${dusk.id}`
  const draft = { ...dusk, is_published: false }
  const { user, requests } = mountApp(
    `/admin/tracks?edit=${dusk.id}`,
    {
      ...oneTrack,
      'GET /api/admin-tracks': onePage([
        {
          ...draft,
          release_at: '2090-11-27T17:00:00.000Z',
          release_zone: 'Europe/Berlin',
        },
        { ...dusk, id: makeAdminTrack(2).id, early_access_until: '2090-12-04T17:00:00.000Z' },
        { ...dusk, id: makeAdminTrack(3).id, premium_only: true },
      ]),
      [`GET /api/admin-tracks/${dusk.id}`]: draft,
      [patch]: draft,
    },
    admin,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Track' }))
  expect(await screen.findByText(/Scheduled · Nov 27, 2090, 6:00\sPM/)).toBeDefined()
  expect(screen.getByText(/Early access until Dec 4, 2090/)).toBeDefined()
  expect(screen.getAllByText('Premium only').length).toBeGreaterThan(0)

  const date = await dialog.findByLabelText('Publish on')
  fireEvent.change(date, { target: { value: '2091-03-25' } })
  fireEvent.change(dialog.getByLabelText('At'), { target: { value: '02:30' } })
  await user.selectOptions(dialog.getByLabelText('Time zone'), 'Europe/Berlin')
  fireEvent.change(dialog.getByLabelText('Early access for Premium (days)'), {
    target: { value: '7' },
  })
  expect(
    dialog.getByText(/Clocks skip this time on that day: Mar 25, 2091, 3:30\sAM is used/),
  ).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === patch)?.body).toEqual({
      release_at: '2091-03-25T01:30:00.000Z',
      release_zone: 'Europe/Berlin',
      early_access_days: 7,
      version: 1,
    }),
  )
})

test('shows no date field for a published track, and lists only scheduled tracks when filtered', async () => {
  const { user, requests } = mountApp(`/admin/tracks?edit=${dusk.id}`, oneTrack, admin)
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Track' }))
  expect(await dialog.findByLabelText('Audience')).toBeDefined()
  expect(dialog.queryByLabelText('Publish on')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await user.selectOptions(screen.getByLabelText('Published'), 'scheduled')
  await waitFor(() =>
    expect(
      requests.some(
        ({ operation, query }) =>
          operation === 'GET /api/admin-tracks' &&
          query['availability'] === 'scheduled' &&
          query['published'] === undefined,
      ),
    ).toBe(true),
  )
})

test('schedules the selected tracks, and requires a date', async () => {
  const patch = `PATCH /api/admin-tracks/${dusk.id}`
  const answers = { ...oneTrack, [patch]: dusk }
  const { user, requests } = mountApp('/admin/tracks', answers, admin)
  await user.click(await screen.findByRole('checkbox', { name: 'Select Dusk' }))
  await user.click(screen.getByRole('button', { name: 'Schedule' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Schedule 1 track' }))
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Schedule' })
  expect(submit.disabled).toBe(true)
  fireEvent.change(dialog.getByLabelText('Publish on'), { target: { value: '2090-11-27' } })
  await user.selectOptions(dialog.getByLabelText('Time zone'), 'UTC')
  await user.selectOptions(dialog.getByLabelText('Audience'), 'Premium only')
  await user.click(submit)
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === patch)?.body).toEqual({
      is_published: false,
      release_at: '2090-11-27T00:00:00.000Z',
      release_zone: 'UTC',
      early_access_days: 0,
      audience: 'premium',
    }),
  )
  await waitFor(() =>
    expect(toastTexts()).toContainEqual(expect.stringContaining('1 track scheduled')),
  )
})

test('adds and removes categories and moods of selected tracks', async () => {
  const dawn = makeAdminTrack(2, { title: 'Dawn', category: null, categories: [], moods: ['late'] })
  const patch = (id: string) => `PATCH /api/admin-tracks/${id}`
  const answers = {
    ...oneTrack,
    'GET /api/admin-tracks': onePage([dusk, dawn]),
    [patch(dusk.id)]: dusk,
    [patch(dawn.id)]: dawn,
  }
  const { user, requests } = mountApp('/admin/tracks', answers, admin)
  await user.click(await screen.findByRole('checkbox', { name: 'Select Dusk' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Dawn' }))
  await user.click(screen.getByRole('button', { name: 'Categories and Moods' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Categories and Moods' }))
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Update' })
  expect(submit.disabled).toBe(true)
  await user.selectOptions(dialog.getByLabelText('Remove from categories'), 'focus')
  await user.selectOptions(dialog.getByLabelText('Remove moods'), 'late')
  await user.type(dialog.getByLabelText('Add moods'), 'calm,')
  await user.click(dialog.getByRole('button', { name: 'Update 2 tracks' }))
  const getBody = (id: string) => requests.find(({ operation }) => operation === patch(id))?.body
  await waitFor(() => expect(getBody(dusk.id)).toEqual({ categories: [], moods: ['calm'] }))
  await waitFor(() => expect(getBody(dawn.id)).toEqual({ moods: ['calm'] }))
})

test('links selected tracks as versions of one song', async () => {
  const dawn = makeAdminTrack(2, { title: 'Dawn' })
  const link = 'POST /api/admin-track-versions'
  const answers = {
    ...oneTrack,
    'GET /api/admin-tracks': onePage([dusk, dawn]),
    [link]: undefined,
  }
  const { user, requests } = mountApp('/admin/tracks', answers, admin)
  await user.click(await screen.findByRole('checkbox', { name: 'Select Dusk' }))
  expect(screen.queryByRole('button', { name: 'Link as Versions' })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: 'Select Dawn' }))
  await user.click(screen.getByRole('button', { name: 'Link as Versions' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === link)?.body).toEqual({
      track_ids: [dusk.id, dawn.id],
    }),
  )
})

test('lists linked versions in the form, unlinks one, and links one that is suggested', async () => {
  const version = (number: number, title: string) => ({
    id: makeAdminTrack(number).id,
    title,
    artist: 'Ida Sorrel',
    duration: 190,
    is_published: false,
  })
  const linked = version(2, 'Dusk (v2)')
  const proposed = [version(1, 'Dusk'), version(3, 'Dusk - Take 3')]
  const unlink = `DELETE /api/admin-tracks/${linked.id}/versions`
  const answers = {
    ...oneTrack,
    [`GET /api/admin-tracks/${dusk.id}/versions`]: {
      data: [linked],
      proposals: [{ by: 'title', tracks: proposed }],
    },
    [unlink]: undefined,
    'POST /api/admin-track-versions': undefined,
  }
  const { user, requests } = mountApp(`/admin/library?edit=${dusk.id}`, answers, admin)
  const form = within(await screen.findByRole('dialog', { name: 'Edit Track' }))
  await user.click(await form.findByRole('button', { name: 'Unlink Dusk (v2)' }))
  await waitFor(() => expect(requests.map(({ operation }) => operation)).toContain(unlink))
  await user.click(await form.findByRole('button', { name: 'Link the versions of Dusk' }))
  await waitFor(() =>
    expect(
      requests.find(({ operation }) => operation === 'POST /api/admin-track-versions')?.body,
    ).toEqual({ track_ids: proposed.map(({ id }) => id) }),
  )
})
