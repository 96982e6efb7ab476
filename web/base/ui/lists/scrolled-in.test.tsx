import { act, cleanup, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { ScrolledIn } from './scrolled-in.tsx'

afterEach(cleanup)

const row = (isScrolling: boolean) => (
  <ScrolledIn isScrolling={isScrolling}>
    <b>row</b>
  </ScrolledIn>
)

test('renders a row at once while nothing scrolls, and its shape first during a scroll', () => {
  // On the server only the first rendering exists.
  expect(renderToString(row(false))).toContain('row')
  expect(renderToString(row(true))).toBe('')
})

test('completes the row after the scroll event, and keeps it when the next scroll begins', () => {
  act(() => void render(row(true)))
  expect(screen.getByText('row')).toBeTruthy()
  cleanup()
  const { rerender } = render(row(false))
  rerender(row(true))
  expect(screen.getByText('row')).toBeTruthy()
})
