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

test('renders a row immediately when the list is idle, and an empty first render during a scroll', () => {
  // Server rendering returns only the first render.
  expect(renderToString(row(false))).toContain('row')
  expect(renderToString(row(true))).toBe('')
})

test('renders the row after its empty first render, and keeps a mounted row when a scroll starts', () => {
  act(() => void render(row(true)))
  expect(screen.getByText('row')).toBeTruthy()
  cleanup()
  const { rerender } = render(row(false))
  rerender(row(true))
  expect(screen.getByText('row')).toBeTruthy()
})
