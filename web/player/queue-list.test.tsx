// jsdom lays nothing out: the box has a height by decree, and what is tested is which rows exist, where keys
// and pointers take them, and what is said.
import '../testing/browser-gaps.ts'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playTracks, removeFromQueue } from './player-actions.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTracks } from './player-track-fixture.ts'
import { QueueList } from './queue-list.tsx'

beforeEach(() => {
  usePlayer.setState(initialPlayerState, true)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  Element.prototype.setPointerCapture = () => {}
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function show(count: number, startIndex = 0) {
  playTracks(makeTracks(count), { startIndex })
  render(<QueueList openedAt={startIndex} />)
}

const rows = () => screen.getAllByRole('listitem')
const titles = () => usePlayer.getState().queue.entries.map(({ track }) => track.title)
const handle = (at: number) => screen.getByRole('button', { name: `Move ${titles()[at]}` })
const said = () => screen.getByRole('status').textContent

test('of 20,000 only the rows around the current one exist, each with its true place', () => {
  show(20_000, 12_000)
  expect(rows().length).toBeLessThan(25)
  const current = rows().find((row) => row.getAttribute('aria-current'))
  expect(current?.getAttribute('aria-posinset')).toBe('12001')
  expect(current?.getAttribute('aria-setsize')).toBe('20000')
})

test('keys move a row by one place or ten, and each move is said', async () => {
  const user = userEvent.setup()
  show(30)
  const [first, second, third] = titles()
  handle(1).focus()
  await user.keyboard(' ')
  expect(said()).toBe(`${second} is picked up, position 2 of 30.`)
  expect(handle(1).getAttribute('aria-pressed')).toBe('true')
  await user.keyboard('{ArrowDown}')
  expect(said()).toBe(`${second} is at position 3 of 30.`)
  await user.keyboard(' ')
  expect(said()).toBe(`${second} was dropped at position 3 of 30.`)
  expect(titles().slice(0, 3)).toEqual([first, third, second])
  expect(document.activeElement).toBe(handle(2))
  await user.keyboard(' {PageDown} ')
  expect(titles().indexOf(second!)).toBe(12)
})

test('Escape, and a focus that leaves, put the row back', async () => {
  const user = userEvent.setup()
  show(5)
  const before = titles()
  handle(1).focus()
  await user.keyboard(' {ArrowDown}{Escape}')
  expect(said()).toBe(`${before[1]} stays at position 2 of 5.`)
  await user.keyboard(' {ArrowDown}')
  await user.tab()
  expect(said()).toBe(`${before[1]} stays at position 2 of 5.`)
  expect(titles()).toEqual(before)
})

test('whoever removes a row by key goes on with the next one', async () => {
  const user = userEvent.setup()
  show(4)
  const before = titles()
  screen.getByRole('button', { name: `Remove ${before[1]}` }).focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe(`Remove ${before[2]}`)
  await user.keyboard('{Enter}{Enter}')
  expect(titles()).toEqual([before[0]])
  expect(document.activeElement?.getAttribute('aria-label')).toBe(`Remove ${before[0]}`)
})

test('a row is pulled to where the pointer lets it go; a click moves nothing', () => {
  show(8)
  const before = titles()
  const pull = (type: string, clientY: number) =>
    fireEvent(
      handle(1),
      new PointerEvent(type, { bubbles: true, pointerId: 1, clientY, button: 0 }),
    )
  pull('pointerdown', 90)
  pull('pointermove', 92)
  pull('pointerup', 92)
  expect(said()).toBe('')
  pull('pointerdown', 90)
  pull('pointermove', 90 + 2 * 60 + 10)
  expect(said()).toBe(`${before[1]} is at position 4 of 8.`)
  pull('pointerup', 220)
  expect(titles()).toEqual([before[0], before[2], before[3], before[1], ...before.slice(4)])
})

test('a row that is removed while it is moved moves nothing', async () => {
  const user = userEvent.setup()
  show(5)
  const [first, second, ...others] = titles()
  handle(1).focus()
  await user.keyboard(' {ArrowDown}')
  act(() => removeFromQueue(usePlayer.getState().queue.entries[1]!.entry_id))
  expect(second).not.toBe(first)
  expect(titles()).toEqual([first, ...others])
})
