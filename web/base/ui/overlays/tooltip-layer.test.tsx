import '../../../testing/browser-gaps.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipLayer } from './tooltip-layer.tsx'

const isShown = () => screen.getByRole('tooltip', { hidden: true }).style.display === 'block'

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <>
      <button data-tooltip="Remove Tone One">Remove</button>
      <button>Clear</button>
      <p>Words</p>
      <TooltipLayer />
    </>,
  )
  // The tooltip is above the button, and covers the other button and the text.
  const box = screen.getByRole('tooltip', { hidden: true })
  box.getBoundingClientRect = () => DOMRect.fromRect({ x: 0, y: 0, width: 200, height: 30 })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function moveTo(element: Element, clientX: number, clientY: number): void {
  const init = { bubbles: true, clientX, clientY }
  for (const type of ['pointerover', 'pointermove']) {
    element.dispatchEvent(new MouseEvent(type, init))
  }
}

function hoverRemoveButton(): void {
  moveTo(screen.getByText('Remove'), 100, 50)
  vi.advanceTimersByTime(900)
  expect(isShown()).toBe(true)
}

test('hides immediately when the pointer moves to another control, even one that the tooltip covers', () => {
  hoverRemoveButton()
  moveTo(screen.getByText('Clear'), 100, 10)
  expect(isShown()).toBe(false)
})

test('stays while the pointer rests on it and hides when the pointer leaves', () => {
  hoverRemoveButton()
  moveTo(screen.getByText('Words'), 100, 10)
  expect(isShown()).toBe(true)
  moveTo(screen.getByText('Words'), 100, 300)
  expect(isShown()).toBe(false)
})

test('does not show if the pointer leaves the control before the delay has passed', () => {
  moveTo(screen.getByText('Remove'), 100, 50)
  moveTo(screen.getByText('Words'), 100, 300)
  vi.advanceTimersByTime(900)
  expect(isShown()).toBe(false)
})

test('hides on Escape', () => {
  hoverRemoveButton()
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(isShown()).toBe(false)
})
