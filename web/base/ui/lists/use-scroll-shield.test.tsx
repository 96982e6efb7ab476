import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useScrollShield } from './use-scroll-shield.ts'

const onPlay = vi.fn<() => void>()

function List({ boxed }: { boxed: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useScrollShield(list, boxed ? box : undefined)
  return (
    <div ref={box} data-testid="box">
      <ul ref={list}>
        <li>
          <button type="button" onClick={onPlay} />
        </li>
      </ul>
    </div>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const isShielded = () => screen.getByRole('list').hasAttribute('data-scrolling')
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

test('covers the list from the first scroll event until the scrolling stops', () => {
  render(<List boxed={false} />)
  expect(isShielded()).toBe(false)
  fireEvent.scroll(document)
  expect(isShielded()).toBe(true)
  pass(250)
  fireEvent.scroll(document)
  pass(250)
  expect(isShielded()).toBe(true)
  pass(100)
  expect(isShielded()).toBe(false)
})

test('covers a list in a scroll box when the box scrolls, but not when the page scrolls', () => {
  render(<List boxed />)
  fireEvent.scroll(document)
  expect(isShielded()).toBe(false)
  fireEvent.scroll(screen.getByTestId('box'))
  expect(isShielded()).toBe(true)
})

test('removes the shield when the pointer moves, but not on a pointermove event without movement', () => {
  render(<List boxed={false} />)
  const move = (movementX: number) => {
    const event = new Event('pointermove', { bubbles: true })
    fireEvent(screen.getByRole('list'), Object.assign(event, { movementX, movementY: 0 }))
  }
  fireEvent.scroll(document)
  move(0)
  expect(isShielded()).toBe(true)
  move(3)
  expect(isShielded()).toBe(false)
})

test('passes a click on the shield to the element below, and ignores a click on the list without a shield', () => {
  render(<List boxed={false} />)
  const [list, button] = [screen.getByRole('list'), screen.getByRole('button')]
  document.elementFromPoint = () => button
  const click = () => {
    fireEvent.pointerDown(list)
    fireEvent(window, new Event('pointerup'))
    fireEvent.click(list)
  }
  click()
  expect(onPlay).not.toHaveBeenCalled()
  fireEvent.scroll(document)
  click()
  expect(onPlay).toHaveBeenCalledTimes(1)
  expect(isShielded()).toBe(false)
})

test('does not cover the list while the pointer is down, so that the press still becomes a click', () => {
  render(<List boxed={false} />)
  const button = screen.getByRole('button')
  for (const end of ['pointerup', 'pointercancel']) {
    fireEvent.pointerDown(button)
    fireEvent.scroll(document)
    expect(isShielded()).toBe(false)
    fireEvent(window, new Event(end))
    fireEvent.scroll(document)
    expect(isShielded(), `after ${end}`).toBe(true)
  }
})
