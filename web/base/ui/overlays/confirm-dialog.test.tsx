import '../../../testing/browser-gaps.ts'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'

afterEach(cleanup)

function Page({ busy = false, onConfirm = () => {} }: { busy?: boolean; onConfirm?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>Delete playlist</button>
      <ConfirmDialog
        open={open}
        title="Are you sure?"
        message="This action cannot be undone."
        confirmLabel="Delete"
        busy={busy}
        onConfirm={onConfirm}
        onCancel={() => setOpen(false)}
      />
    </>
  )
}

async function ask(page = <Page />) {
  const user = userEvent.setup()
  render(page)
  await user.click(screen.getByRole('button', { name: 'Delete playlist' }))
  return user
}

test('renders an alert dialog with the question and description', async () => {
  await ask()
  const dialog = screen.getByRole('alertdialog', { name: 'Are you sure?' })
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('This action cannot be undone.')
})

test('focuses Cancel, so that Enter does not run the action', async () => {
  const onConfirm = vi.fn<() => void>()
  const user = await ask(<Page onConfirm={onConfirm} />)
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.keyboard('{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('returns the focus to the opener on Escape', async () => {
  const user = await ask()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Delete playlist')
})

test('stays open while the action is running', async () => {
  const onConfirm = vi.fn<() => void>()
  const user = await ask(<Page busy onConfirm={onConfirm} />)
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('alertdialog')).toBeDefined()
  expect(onConfirm).not.toHaveBeenCalled()
})
