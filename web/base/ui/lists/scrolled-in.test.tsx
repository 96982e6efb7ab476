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

test('renders a row immediately when idle, and a placeholder first during a scroll', () => {
  // Server rendering returns only the first render.
  expect(renderToString(row(false))).toContain('row')
  expect(renderToString(row(true))).toBe('')
})

test('renders the row after the scroll event, and keeps it during the next scroll', () => {
  act(() => void render(row(true)))
  expect(screen.getByText('row')).toBeTruthy()
  cleanup()
  const { rerender } = render(row(false))
  rerender(row(true))
  expect(screen.getByText('row')).toBeTruthy()
})
