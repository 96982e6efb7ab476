// Progress and seeking: the waveform over a native range input, so that keys, touch and screen readers work as usual.
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatClock } from '../../../base/format/format-clock.ts'
import { playbackPositionSeconds } from '../playback/playback-clock.ts'
import { seekBy, seekTo } from '../playback/player-actions.ts'
import { selectMode, usePlayer } from '../playback/player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import styles from './seek-bar.module.css'
import { useTrackDetail } from '../playback/track-detail.ts'
import { Waveform } from './waveform.tsx'

/** Seek distance of an arrow key. The input's own step of 0.1 s is for pointers. */
const arrowStepSeconds = 5
const pageStepSeconds = 30
/** Each step is about one pixel. Finer steps would cost a layout on every frame without a visible change. */
const drawnSteps = 1000

export function SeekBar({
  track,
  size = 'medium',
}: {
  track: PlayerTrack
  size?: 'medium' | 'large'
}) {
  const durationSeconds = usePlayer((state) => state.durationSeconds)
  const mode = usePlayer(selectMode)
  const elapsedSeconds = usePlayer((state) => Math.floor(state.positionSeconds))
  const detail = useTrackDetail(track.id)
  const { box, input, waveform, playhead, draggedSeconds, handlers } = useSeeking(durationSeconds)
  const shownSeconds = draggedSeconds ?? Math.min(elapsedSeconds, durationSeconds)
  const part = mode === 'preview' && track.duration > 0 ? durationSeconds / track.duration : 1

  return (
    <div className={styles.seekBar} data-size={size}>
      <time className={styles.time}>{formatClock(shownSeconds)}</time>
      <div ref={box} className={styles.slider} data-dragging={draggedSeconds !== null || undefined}>
        <Waveform played={waveform} peaks={detail?.peaks} part={part} />
        <span ref={playhead} className={styles.playhead} />
        <input
          ref={input}
          type="range"
          aria-label="Seek"
          aria-valuetext={`${formatClock(shownSeconds)} of ${formatClock(durationSeconds)}`}
          min={0}
          max={durationSeconds || 1}
          step={0.1}
          defaultValue={0}
          disabled={durationSeconds <= 0}
          {...handlers}
        />
        <PointerTime box={box} durationSeconds={durationSeconds} />
      </div>
      <time className={styles.time}>{formatClock(durationSeconds)}</time>
    </div>
  )
}

/** Updates slider and waveform during playback, and seeks when the user moves the slider. */
function useSeeking(durationSeconds: number) {
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const waveform = useRef<SVGSVGElement>(null)
  const playhead = useRef<HTMLSpanElement>(null)
  const [draggedSeconds, setDraggedSeconds] = useState<number | null>(null)
  const isHeld = useRef(false)
  const playing = usePlayer((state) => state.playing)
  // During playback, read the playback clock: it is exact, and a subscription to the position would rerender four times
  // a second.
  const positionSeconds = usePlayer((state) => (state.playing ? 0 : state.positionSeconds))

  // Draw the progress in requestAnimationFrame without React, so that nothing rerenders.
  useEffect(() => {
    let frame = 0
    let drawnStep: number | undefined
    let drawnSecond: number | undefined
    const draw = () => {
      const seconds = draggedSeconds ?? (playing ? playbackPositionSeconds() : positionSeconds)
      const played = durationSeconds > 0 ? Math.min(seconds / durationSeconds, 1) : 0
      const step = Math.round(played * drawnSteps)
      if (step !== drawnStep) {
        drawnStep = step
        // Set the property only on the elements that use it. If it were set on the box, thirteen elements would
        // inherit it several times a second.
        for (const { current } of [waveform, playhead]) {
          current?.style.setProperty('--played', String(step / drawnSteps))
        }
      }
      // Update the input only once a second: finer movement is invisible, and each update costs a layout.
      const second = Math.floor(seconds)
      if (second !== drawnSecond && input.current && draggedSeconds === null) {
        drawnSecond = second
        input.current.value = String(seconds)
      }
      if (playing && draggedSeconds === null) frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [playing, positionSeconds, durationSeconds, draggedSeconds])

  function release() {
    isHeld.current = false
    if (draggedSeconds !== null) seekTo(draggedSeconds)
    setDraggedSeconds(null)
  }

  const handlers = {
    onPointerDown: () => {
      isHeld.current = true
    },
    onPointerUp: release,
    onPointerCancel: release,
    // While dragging, update only the display. The seek happens once at the end.
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const seconds = currentTarget.valueAsNumber
      if (isHeld.current) setDraggedSeconds(seconds)
      else seekTo(seconds)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = keySteps[event.key]
      if (step === undefined || event.shiftKey) return
      event.preventDefault()
      seekBy(step)
    },
  }
  return { box, input, waveform, playhead, draggedSeconds, handlers }
}

const keySteps: Record<string, number | undefined> = {
  ArrowLeft: -arrowStepSeconds,
  ArrowDown: -arrowStepSeconds,
  ArrowRight: arrowStepSeconds,
  ArrowUp: arrowStepSeconds,
  PageDown: -pageStepSeconds,
  PageUp: pageStepSeconds,
}

/** Shows the track time at the pointer's position. */
function PointerTime({
  box,
  durationSeconds,
}: {
  box: { current: HTMLElement | null }
  durationSeconds: number
}) {
  const [place, setPlace] = useState<number | null>(null)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const listening = new AbortController()
    const { signal } = listening
    const onMove = (event: Event) => {
      const { clientX, pointerType } = event as unknown as PointerEvent
      const { left, width } = element.getBoundingClientRect()
      setPlace(pointerType === 'mouse' ? Math.min(Math.max((clientX - left) / width, 0), 1) : null)
    }
    element.addEventListener('pointermove', onMove, { signal })
    element.addEventListener('pointerleave', () => setPlace(null), { signal })
    return () => listening.abort()
  }, [box])

  if (place === null || durationSeconds <= 0) return null
  return (
    <span className={styles.pointerTime} style={{ left: `${place * 100}%` }} aria-hidden="true">
      {formatClock(place * durationSeconds)}
    </span>
  )
}
