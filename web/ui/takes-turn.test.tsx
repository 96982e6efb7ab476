import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TakesTurn } from './takes-turn.tsx'

let frames: FrameRequestCallback[] = []

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
})
afterEach(() => {
  cleanup()
  // A frame that was asked for comes, whoever has left by then.
  nextFrame()
  vi.unstubAllGlobals()
})

const nextFrame = () =>
  act(() => {
    for (const frame of frames.splice(0)) frame(0)
  })

const rows = (props: { atOnce: boolean; wanted?: number }) =>
  Array.from({ length: 10 }, (_, row) => (
    <TakesTurn
      key={row}
      atOnce={props.atOnce}
      isWanted={row === props.wanted}
      whileWaiting={<i>waiting</i>}
    >
      <b>row</b>
    </TakesTurn>
  ))

test('rows that appear while one scrolls are drawn four a frame', () => {
  render(rows({ atOnce: false }))
  const drawn = () => screen.queryAllByText('row').length
  expect(drawn()).toBe(0)
  nextFrame()
  expect(drawn()).toBe(4)
  nextFrame()
  nextFrame()
  expect(drawn()).toBe(10)
  expect(screen.queryByText('waiting')).toBeNull()
})

test('rows that appear at rest are there at once, and so is the one that is wanted', () => {
  const { unmount } = render(rows({ atOnce: true }))
  expect(screen.getAllByText('row').length).toBe(10)
  unmount()
  render(rows({ atOnce: false, wanted: 7 }))
  expect(screen.getAllByText('row').length).toBe(1)
})

test('a row that leaves before its turn takes none', () => {
  const { unmount } = render(rows({ atOnce: false }))
  unmount()
  render(rows({ atOnce: false }))
  nextFrame()
  nextFrame()
  expect(screen.getAllByText('row').length).toBe(8)
})
