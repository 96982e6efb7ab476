// The waveform of a preview across the stage: shows how far it has come, and seeks. Underneath lies a
// real slider, so keys and screen readers work as on any other.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatClock } from '../ui/format-clock.ts'
import { barHeights, decodePeaks } from './peaks.ts'
import styles from './preview-waveform.module.css'
import type { PreviewAudio } from './use-preview-audio.ts'

/** Bar and gap. */
const barPitchPx = 7
const heightPx = 120

export function PreviewWaveform({ preview }: { preview: PreviewAudio }) {
  const { track, playing, elapsedSeconds, readPlayed, seek } = preview
  const box = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(box)
  const lengthSeconds = track?.preview_seconds ?? 0

  // Drawn by the clock of the screen, not of React: nothing else has to render for it.
  useEffect(() => {
    let frame = 0
    const draw = () => {
      box.current?.style.setProperty('--played', String(readPlayed()))
      if (playing) frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [playing, readPlayed, elapsedSeconds])

  const path = useMemo(() => barPath(track?.peaks ?? null, widthPx), [track?.peaks, widthPx])
  const drawing = {
    viewBox: `0 0 ${widthPx} ${heightPx}`,
    preserveAspectRatio: 'none',
    'aria-hidden': true,
  }
  return (
    <div ref={box} className={styles.waveform}>
      <svg {...drawing}>
        <path d={path} />
      </svg>
      <svg {...drawing} className={styles.played}>
        <path d={path} />
      </svg>
      <input
        className={styles.seek}
        type="range"
        aria-label="Seek in the preview"
        aria-valuetext={`${formatClock(elapsedSeconds)} of ${formatClock(lengthSeconds)}`}
        min={0}
        max={lengthSeconds}
        step={1}
        value={Math.min(elapsedSeconds, lengthSeconds)}
        disabled={!track}
        onChange={(event) => seek(event.target.valueAsNumber)}
      />
    </div>
  )
}

function barPath(peaks: string | null, widthPx: number): string {
  const count = Math.floor(widthPx / barPitchPx)
  const inset = (widthPx - (count - 1) * barPitchPx) / 2
  return barHeights(decodePeaks(peaks), count)
    .map((loudness, bar) => {
      const reach = Math.max(1, loudness * (heightPx - 8)) / 2
      const x = (inset + bar * barPitchPx).toFixed(1)
      return `M${x} ${(heightPx / 2 - reach).toFixed(1)}v${(reach * 2).toFixed(1)}`
    })
    .join('')
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidthPx(Math.round(entry.contentRect.width))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
