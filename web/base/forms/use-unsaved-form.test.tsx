// Tests the handling of unsaved work with the category form: dialog, page, draft, sign-out.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../ui/overlays/toast-store.ts'
import { makeCategory } from '../../testing/catalogue-fixture.ts'
import { admin, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

const focus = { ...makeCategory(), version: 3 }
const answers: Answers = {
  'GET /api/admin-categories': { data: [focus] },
  'GET /api/admin-categories/focus': focus,
  'GET /api/admin-tracks': onePage([]),
}
const path = '/admin/categories/focus'
const description = () => screen.findByLabelText<HTMLTextAreaElement>('Description')
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' })

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function typeAndReload(member = admin) {
  const first = mountApp(path, answers, admin)
  await first.user.type(await description(), ' and slow')
  first.unmount()
  return mountApp(path, answers, member)
}

test('asks before following a link: Stay keeps the form, Leave keeps the draft', async () => {
  const { user, router } = mountApp(path, answers, admin)
  await user.type(await description(), ' and slow')
  void router.navigate('/admin/genres')
  await user.click(within(await question()).getByRole('button', { name: 'Stay' }))
  expect(router.state.location.pathname).toBe(path)
  expect((await description()).value).toBe('Quiet and slow')
  void router.navigate('/admin/genres')
  await user.click(within(await question()).getByRole('button', { name: 'Leave' }))
  await screen.findByRole('heading', { name: 'Genre Management' })
  await router.navigate(path)
  expect((await description()).value).toBe('Quiet and slow')
  await screen.findByText('Restored your unsaved changes')
})

test('asks again when a second navigation starts before the first answer is rendered', async () => {
  const { user, router } = mountApp(path, answers, admin)
  await user.type(await description(), ' and slow')
  void router.navigate('/admin/genres')
  const stay = within(await question()).getByRole('button', { name: 'Stay' })
  await act(async () => {
    stay.click()
    await vi.waitFor(() =>
      expect(router.state.blockers.values().next().value?.state).toBe('unblocked'),
    )
    void router.navigate('/admin/users')
  })
  await user.click(within(await question()).getByRole('button', { name: 'Stay' }))
  expect(router.state.location.pathname).toBe(path)
})

test('restores a draft after a reload, and Discard resets the form', async () => {
  const { user } = await typeAndReload()
  expect((await description()).value).toBe('Quiet and slow')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect((await description()).value).toBe('Quiet')
  expect(screen.queryByText('Restored your unsaved changes')).toBeNull()
  await waitFor(() => expect(Object.keys(localStorage).filter(isDraft)).toEqual([]))
})

test("never shows another member's draft", async () => {
  await typeAndReload({ ...admin, id: '0191a0c0-0000-7000-8000-0000000000bb' })
  expect((await description()).value).toBe('Quiet')
})

test('deletes the draft when the user chooses Discard in the dialog', async () => {
  const { user, router } = mountApp(path, answers, admin)
  await user.type(await description(), ' and slow')
  void router.navigate('/admin/genres')
  await user.click(within(await question()).getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/genres'))
  expect(Object.keys(localStorage).filter(isDraft)).toEqual([])
})

test('navigates without asking after a save, and deletes the draft', async () => {
  const { user, router } = mountApp(
    path,
    { ...answers, [`PATCH /api/admin-categories/${focus.id}`]: { ...focus, version: 4 } },
    admin,
  )
  await user.type(await description(), ' and slow')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(useToasts.getState().toasts.map(({ title }) => title)).toContain(
      'Category updated successfully',
    ),
  )
  await router.navigate('/admin/genres')
  expect(router.state.location.pathname).toBe('/admin/genres')
  expect(Object.keys(localStorage).filter(isDraft)).toEqual([])
})

test.each(['Escape', 'Cancel', 'Close'])(
  'asks before %s closes a dialog with unsaved work',
  async (way) => {
    const { user } = mountApp('/admin/categories', answers, admin)
    await user.click(await screen.findByRole('button', { name: 'Add Category' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add Category' })
    await user.type(within(dialog).getByLabelText('Description'), 'Rain')
    const leave = async () => {
      if (way !== 'Escape') await user.click(within(dialog).getByRole('button', { name: way }))
      else dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    }
    await leave()
    await user.click(within(await question()).getByRole('button', { name: 'Stay' }))
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>('Description').value).toBe('Rain')
    await leave()
    await user.click(within(await question()).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add Category' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Add Category' }))
    expect((await description()).value).toBe('Rain')
  },
)

test('asks before sign-out, then deletes the drafts', async () => {
  const { user } = mountApp(
    path,
    { ...answers, 'POST /api/auth/sign-out': { success: true } },
    admin,
  )
  await user.type(await description(), ' and slow')
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out without saving?' })
  await user.click(within(dialog).getByRole('button', { name: 'Discard and sign out' }))
  await waitFor(() => expect(Object.keys(localStorage).filter(isDraft)).toEqual([]))
})

function isDraft(name: string): boolean {
  return name.startsWith('velour-draft:')
}
