import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TakesTurn } from './takes-turn.tsx'

let frames: FrameRequestCallback[] = []
/** Frames in time, from far behind those of the test before. */
let nowMs = 0

beforeEach(() => {
  frames = []
  nowMs += 1000
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
})
afterEach(() => {
  cleanup()
  // A frame that was asked for comes, whoever has left by then.
  nextFrame()
  vi.unstubAllGlobals()
})

const nextFrame = (afterMs = 16) =>
  act(() => {
    nowMs += afterMs
    for (const frame of frames.splice(0)) frame(nowMs)
  })

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

test('rows that appear while one scrolls are drawn more a frame as long as frames come in time', () => {
  render(rows({ atOnce: false }))
  const counts = [drawn()]
  for (let i = 0; i < 4; i++) {
    nextFrame()
    counts.push(drawn())
  }
  expect(counts).toEqual([0, 1, 3, 6, 10])
  expect(screen.queryByText('waiting')).toBeNull()
})

test('where frames come late each draws one row', () => {
  render(rows({ atOnce: false }))
  nextFrame()
  nextFrame()
  nextFrame(60)
  nextFrame(60)
  expect(drawn()).toBe(5)
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
  expect(drawn()).toBe(3)
})

test('a picture in a row takes its turn after the rows; in a row at rest it is there at once', () => {
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
  const late = 60
  nextFrame(late)
  nextFrame(late)
  expect([drawn(), pictures()]).toEqual([2, 0])
  nextFrame(late)
  expect([drawn(), pictures()]).toEqual([2, 1])
})
