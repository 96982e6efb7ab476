import '../../../testing/browser-gaps.ts'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { showToast, useToasts } from './toast-store.ts'
import { Toasts } from './toasts.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('announces messages politely and failures assertively', () => {
  render(<Toasts />)
  act(() => {
    showToast({ title: 'Success!', message: 'Account created successfully.', tone: 'success' })
    showToast({ title: 'Error', message: 'Failed to add track', tone: 'destructive' })
  })
  expect(screen.getByRole('status').textContent).toBe('Success!. Account created successfully.')
  expect(screen.getByRole('alert').textContent).toBe('Error. Failed to add track')
})

test('renders the live regions before the first toast', () => {
  render(<Toasts />)
  expect(screen.getByRole('status').textContent).toBe('')
  expect(screen.getByRole('alert').textContent).toBe('')
})

test('runs Undo once and removes the toast', async () => {
  const user = userEvent.setup()
  const onAction = vi.fn<() => void>()
  render(<Toasts />)
  act(() => {
    showToast({ title: 'Track removed from playlist', action: { label: 'Undo', onAction } })
  })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(onAction).toHaveBeenCalledOnce()
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('undoes the newest action with Ctrl+Z, but not inside a text field', async () => {
  const user = userEvent.setup()
  const undone: string[] = []
  render(
    <>
      <Toasts />
      <input aria-label="Search" />
    </>,
  )
  act(() => {
    for (const message of ['Dusk', 'Dawn']) {
      const action = { label: 'Undo', onAction: () => void undone.push(message) }
      showToast({ title: 'Track deleted successfully', message, action })
    }
    showToast({ title: 'Saved' })
  })
  expect(screen.getByRole('status').textContent).toContain(
    'Track deleted successfully. Dawn Undo is available with Control Z.',
  )
  await user.click(screen.getByRole('textbox', { name: 'Search' }))
  await user.keyboard('{Control>}z{/Control}')
  expect(undone).toEqual([])
  act(() => (document.activeElement as HTMLElement).blur())
  await user.keyboard('{Control>}z{/Control}')
  await user.keyboard('{Control>}z{/Control}')
  await user.keyboard('{Control>}z{/Control}')
  expect(undone).toEqual(['Dawn', 'Dusk'])
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

test('keeps toasts with the same text when each has an Undo', () => {
  render(<Toasts />)
  act(() => {
    const action = { label: 'Undo', onAction() {} }
    showToast({ title: 'Track deleted successfully', message: 'Dusk', action })
    showToast({ title: 'Track deleted successfully', message: 'Dusk', action })
  })
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2)
})

test('returns the focus when a keyboard user leaves a toast', async () => {
  const user = userEvent.setup()
  render(
    <>
      <button>Before</button>
      <Toasts />
    </>,
  )
  act(() => {
    showToast({ title: 'Track deleted', action: { label: 'Undo', onAction() {} } })
  })
  const before = screen.getByRole('button', { name: 'Before' })
  before.focus()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Undo')
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(before)
})

test('disappears automatically, but not while the pointer is over it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
  render(<Toasts />)
  act(() => {
    showToast({ title: 'Track added' })
  })
  await user.hover(screen.getByRole('listitem'))
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByRole('listitem')).toBeDefined()
  await user.unhover(screen.getByRole('listitem'))
  act(() => void vi.advanceTimersByTime(5000))
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('does not stack toasts with the same text', () => {
  render(<Toasts />)
  act(() => {
    showToast({ title: 'Added to liked tracks' })
    showToast({ title: 'Added to liked tracks' })
  })
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

test('shows and announces toasts in an open dialog instead of the page', () => {
  render(
    <>
      <Toasts />
      <Dialog open onClose={() => {}} title="New Playlist" />
    </>,
  )
  act(() => {
    showToast({ title: 'Error', message: 'Title is required', tone: 'destructive' })
  })
  const dialog = screen.getByRole('dialog', { name: 'New Playlist' })
  expect(within(dialog).getByRole('alert').textContent).toBe('Error. Title is required')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})
