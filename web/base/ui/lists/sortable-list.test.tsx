// jsdom has no layout, so each row gets the rectangle that its style implies. These tests check that keys move rows in
// steps of 25 px and that each move is announced.
import '../../../testing/browser-gaps.ts'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SortableList } from './sortable-list.tsx'

const rowHeightPx = 50

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(
    this: HTMLElement,
  ) {
    const row = this.closest('li')
    const top = row ? Number.parseFloat(row.style.top) : 0
    return new DOMRect(0, top, 400, row ? rowHeightPx : 400)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Page() {
  const [titles, setTitles] = useState(['Slow Tide', 'Amber Hours', 'Margins'])
  return (
    <SortableList
      label="Tracks"
      items={titles}
      getKey={(title) => title}
      getName={(title) => title}
      rowHeightPx={rowHeightPx}
      onMove={(fromIndex, toIndex) =>
        setTitles((now) => now.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, now[fromIndex] ?? ''))
      }
      renderItem={(title, _index, handle) => (
        <>
          {handle}
          <b>{title}</b>
        </>
      )}
    />
  )
}

const order = () =>
  screen.getAllByRole('listitem').map((row) => row.querySelector('b')?.textContent)
const said = () => screen.getByRole('status').textContent

test('moves a row of 50 px by one place with two steps of 25 px and announces each move', async () => {
  const user = userEvent.setup()
  render(<Page />)
  screen.getByRole('button', { name: 'Move Slow Tide' }).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(said()).toBe('Picked up Slow Tide, position 1 of 3.'))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  await waitFor(() => expect(said()).toBe('Slow Tide is at position 2 of 3.'))
  await user.keyboard(' ')
  await waitFor(() => expect(order()).toEqual(['Amber Hours', 'Slow Tide', 'Margins']))
})

test('returns the row to its position on Escape', async () => {
  const user = userEvent.setup()
  render(<Page />)
  screen.getByRole('button', { name: 'Move Slow Tide' }).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(said()).toContain('Picked up'))
  await user.keyboard('{ArrowDown}{ArrowDown}{Escape}')
  await waitFor(() => expect(said()).toBe('Slow Tide stays at position 1 of 3.'))
  expect(order()).toEqual(['Slow Tide', 'Amber Hours', 'Margins'])
})
