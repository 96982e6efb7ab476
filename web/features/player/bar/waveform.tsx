// The waveform of a track, drawn twice: once in the base color, once in the color of the played part. `--played` (0
// to 1) on the second copy sets how much of it is visible, so playback causes no rerenders.
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { barLevels, barPath, decodePeaks } from './waveform-shape.ts'
import styles from './waveform.module.css'

/** Width of a bar with its gap. */
const barPitchPx = 4
const heightPx = 32

export interface WaveformProps {
  /** Receives the element on which to set `--played`. */
  played: RefObject<SVGSVGElement | null>
  peaks: string | null | undefined
  /** Fraction of the track's length to show, from its beginning. */
  part: number
}

export function Waveform({ played, peaks, part }: WaveformProps) {
  const box = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(box)
  const path = useMemo(() => {
    const count = Math.max(1, Math.floor(widthPx / barPitchPx))
    return barPath(barLevels(decodePeaks(peaks), count, part), widthPx, heightPx)
  }, [peaks, part, widthPx])
  const drawing = { viewBox: `0 0 ${widthPx} ${heightPx}`, preserveAspectRatio: 'none' }
  return (
    <div ref={box} className={styles.waveform} aria-hidden="true">
      <svg {...drawing}>
        <path d={path} />
      </svg>
      <svg ref={played} {...drawing} className={styles.played}>
        <path d={path} />
      </svg>
    </div>
  )
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
