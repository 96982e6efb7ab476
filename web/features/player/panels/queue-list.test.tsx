// jsdom has no layout, so the box gets a fixed height. These tests check which rows exist, where keys and pointers move
// them, and the announcements.
import '../../../testing/browser-gaps.ts'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playTracks, removeFromQueue } from '../playback/player-actions.ts'
import { initialPlayerState, usePlayer } from '../playback/player-store.ts'
import { makeTracks } from '../../../testing/track-fixture.ts'
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

test('renders only the rows around the current one of 20,000, with their positions in the queue', () => {
  show(20_000, 12_000)
  expect(rows().length).toBeLessThan(25)
  const current = rows().find((row) => row.getAttribute('aria-current'))
  expect(current?.getAttribute('aria-posinset')).toBe('12001')
  expect(current?.getAttribute('aria-setsize')).toBe('20000')
})

test('renders the rows at the scroll position', async () => {
  show(500, 100)
  const positions = () => rows().map((row) => Number(row.getAttribute('aria-posinset')))
  expect(positions()).toContain(101)
  const box = screen.getByRole('list', { name: 'Queue' }).parentElement!
  box.scrollTop = 300 * 60
  fireEvent.scroll(box)
  await waitFor(() => expect(positions()).toContain(301))
  expect(positions()).not.toContain(101)
  expect(rows().length).toBeLessThan(25)
})

test('moves a row by one or ten places with keys and announces each move', async () => {
  const user = userEvent.setup()
  show(30)
  const [first, second, third] = titles()
  handle(1).focus()
  await user.keyboard(' ')
  expect(said()).toBe(`${second} was picked up at position 2 of 30.`)
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

test('returns the row to its position on Escape and when the focus leaves', async () => {
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

test('moves the focus to the next row after removing one by key', async () => {
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

test('drops a dragged row at the pointer; a click moves nothing', () => {
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

test('moves nothing when the row is removed during the move', async () => {
  const user = userEvent.setup()
  show(5)
  const [first, second, ...others] = titles()
  handle(1).focus()
  await user.keyboard(' {ArrowDown}')
  act(() => removeFromQueue(usePlayer.getState().queue.entries[1]!.entry_id))
  expect(second).not.toBe(first)
  expect(titles()).toEqual([first, ...others])
})
