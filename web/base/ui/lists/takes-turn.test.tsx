import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TakesTurn } from './takes-turn.tsx'

let frames: FrameRequestCallback[] = []

beforeEach(() => {
  frames = []
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
})
afterEach(() => {
  cleanup()
  // Run pending frames before the globals are restored.
  nextFrame()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Runs the next frame, `tookMs` after it was due. */
const nextFrame = (tookMs = 4) =>
  act(() => {
    const dueMs = performance.now() - tookMs
    for (const frame of frames.splice(0)) frame(dueMs)
    vi.advanceTimersByTime(1)
  })

const heavyMs = 20

const drawn = () => screen.queryAllByText('row').length

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

test('draws more rows per frame while frames are light', () => {
  render(rows({ atOnce: false }))
  const counts = [drawn()]
  for (let i = 0; i < 4; i++) {
    nextFrame()
    counts.push(drawn())
  }
  expect(counts).toEqual([0, 1, 3, 6, 10])
  expect(screen.queryByText('waiting')).toBeNull()
})

test('draws one row per frame while frames are heavy', () => {
  render(rows({ atOnce: false }))
  nextFrame()
  nextFrame(heavyMs)
  nextFrame(heavyMs)
  nextFrame(heavyMs)
  expect(drawn()).toBe(5)
})

test('releases no more rows until those released are painted', () => {
  render(rows({ atOnce: false }))
  act(() => {
    for (let i = 0; i < 3; i++) for (const frame of frames.splice(0)) frame(performance.now())
  })
  expect(drawn()).toBe(1)
})

test('draws rows immediately when `atOnce`, and a wanted row too', () => {
  const { unmount } = render(rows({ atOnce: true }))
  expect(screen.getAllByText('row').length).toBe(10)
  unmount()
  render(rows({ atOnce: false, wanted: 7 }))
  expect(screen.getAllByText('row').length).toBe(1)
})

test('skips a row that unmounts before its turn', () => {
  const { unmount } = render(rows({ atOnce: false }))
  unmount()
  render(rows({ atOnce: false }))
  nextFrame()
  nextFrame()
  expect(drawn()).toBe(3)
})

test('draws pictures after the rows; a picture in a row drawn immediately does not wait', () => {
  const withPicture = (atOnce: boolean) =>
    [0, 1].map((row) => (
      <TakesTurn key={row} atOnce={atOnce} whileWaiting={null}>
        <b>row</b>
        <TakesTurn whileWaiting={null}>
          <i>picture</i>
        </TakesTurn>
      </TakesTurn>
    ))
  const pictures = () => screen.queryAllByText('picture').length
  const { unmount } = render(withPicture(true))
  expect(pictures()).toBe(2)
  unmount()
  render(withPicture(false))
  nextFrame(heavyMs)
  nextFrame(heavyMs)
  expect([drawn(), pictures()]).toEqual([2, 0])
  nextFrame(heavyMs)
  expect([drawn(), pictures()]).toEqual([2, 1])
})
