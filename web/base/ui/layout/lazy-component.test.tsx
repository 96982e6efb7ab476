import { cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyComponent } from './lazy-component.tsx'

afterEach(cleanup)

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

test('renders the fallback until the code has loaded', async () => {
  const Lazy = lazyComponent(
    async () => Greeting,
    () => <i>wait</i>,
  )
  render(<Lazy name="Ada" />)
  expect(screen.getByText('wait')).toBeTruthy()
  expect(await screen.findByText('Hello Ada')).toBeTruthy()
  expect(screen.queryByText('wait')).toBe(null)
})

test('renders without a fallback when the code was loaded before, and loads it once', async () => {
  const fetchCode = vi.fn<() => Promise<typeof Greeting>>(async () => Greeting)
  const Lazy = lazyComponent(fetchCode)
  await Lazy.load()
  render(<Lazy name="Ada" />)
  expect(screen.getByText('Hello Ada')).toBeTruthy()
  render(<Lazy name="Bob" />)
  expect(fetchCode).toHaveBeenCalledTimes(1)
})

test('throws a load failure to the error boundary, and retries at the next render', async () => {
  class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
    override state: { message?: string } = {}
    static getDerivedStateFromError = (error: Error) => ({ message: error.message })
    override render() {
      return this.state.message ?? this.props.children
    }
  }
  const fetchCode = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(new Error('no network'))
    .mockResolvedValue(Greeting)
  const Lazy = lazyComponent(fetchCode)
  const show = () =>
    render(
      <Boundary>
        <Lazy name="Ada" />
      </Boundary>,
      // Silence React, which logs errors that a boundary catches.
      { onCaughtError: () => {} },
    )
  const { unmount } = show()
  expect(await screen.findByText('no network')).toBeTruthy()
  unmount()
  show()
  expect(await screen.findByText('Hello Ada')).toBeTruthy()
})
