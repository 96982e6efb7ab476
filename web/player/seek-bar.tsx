// How far the track has come, and the way to another place in it: the waveform over a real slider, so
// that keys, touch and screen readers work as on any other.
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatClock } from '../ui/format-clock.ts'
import { playbackPositionSeconds } from './playback-clock.ts'
import { seekBy, seekTo } from './player-actions.ts'
import { selectMode, usePlayer } from './player-store.ts'
import type { PlayerTrack } from './player-track.ts'
import styles from './seek-bar.module.css'
import { useTrackDetail } from './track-detail.ts'
import { Waveform } from './waveform.tsx'

/** One press of an arrow; the slider's own step of 0.1 s is for pointers. */
const arrowStepSeconds = 5
const pageStepSeconds = 30
/** About a pixel each. Finer steps would cost every frame a layout that nobody sees. */
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

/** Keeps slider and waveform in step with the sound, and the sound in step with the slider. */
function useSeeking(durationSeconds: number) {
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const waveform = useRef<SVGSVGElement>(null)
  const playhead = useRef<HTMLSpanElement>(null)
  const [draggedSeconds, setDraggedSeconds] = useState<number | null>(null)
  const isHeld = useRef(false)
  const playing = usePlayer((state) => state.playing)
  // While it plays the clock knows better, and being told four times a second is work for nothing.
  const positionSeconds = usePlayer((state) => (state.playing ? 0 : state.positionSeconds))

  // Drawn by the clock of the screen, not of React: nothing else has to render for it.
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
        // Only where it is seen: from the box it would be inherited by thirteen elements, several times a second.
        for (const { current } of [waveform, playhead]) {
          current?.style.setProperty('--played', String(step / drawnSteps))
        }
      }
      // Nobody sees it move, and each time it costs a layout.
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
    // While held only the picture follows; the sound jumps once.
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

/** The time under the mouse. */
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
