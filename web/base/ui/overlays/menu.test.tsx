import '../../../testing/browser-gaps.ts'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from '../controls/button.tsx'
import { Menu, MenuItem } from './menu.tsx'

afterEach(cleanup)

function open({ onShare = () => {}, onDelete = () => {} } = {}) {
  render(
    <Menu label="Track actions" trigger={<Button>More</Button>}>
      <MenuItem onSelect={onShare}>Share</MenuItem>
      <MenuItem disabled onSelect={onDelete}>
        Delete
      </MenuItem>
      <MenuItem onSelect={() => {}}>Edit</MenuItem>
    </Menu>,
  )
  return userEvent.setup()
}

const focused = () => document.activeElement?.textContent

test('focuses the first action when it opens, wraps with arrow keys and jumps by first letter', async () => {
  const user = open()
  screen.getByRole('button', { name: 'More' }).focus()
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Share')
  await user.keyboard('{ArrowUp}')
  expect(focused()).toBe('Edit')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Share')
  await user.keyboard('d')
  expect(focused()).toBe('Delete')
})

test('runs the action, closes and returns the focus', async () => {
  const onShare = vi.fn<() => void>()
  const user = open({ onShare })
  await user.click(screen.getByRole('button', { name: 'More' }))
  await user.keyboard('{Enter}')
  expect(onShare).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menu')).toBeNull()
  expect(focused()).toBe('More')
})

test('focuses a disabled action but does not run it', async () => {
  const onDelete = vi.fn<() => void>()
  const user = open({ onDelete })
  await user.click(screen.getByRole('button', { name: 'More' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  expect(onDelete).not.toHaveBeenCalled()
  expect(screen.getByRole('menu')).toBeDefined()
})

test('closes on Escape and on a click elsewhere', async () => {
  const user = open()
  const trigger = screen.getByRole('button', { name: 'More' })
  await user.click(trigger)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  await user.click(trigger)
  await user.click(document.body)
  expect(screen.queryByRole('menu')).toBeNull()
  expect(trigger.getAttribute('aria-expanded')).toBe('false')
})
