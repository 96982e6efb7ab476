// Draws the peaks of a preview as bars, as many as fit the width.
import { barHeights, decodePeaks } from './peaks.ts'

/** Width of a bar and its gap. */
const barPitchPx = 7
const heightPx = 120

const drawn = new WeakMap<HTMLElement, string>()

/** Draws the bars into `box`, which contains two drawings: the whole waveform and, above it, the played part. */
export function drawWaveform(box: HTMLElement, peaks: string | null): void {
  const widthPx = Math.round(box.clientWidth)
  const wanted = `${widthPx} ${peaks ?? ''}`
  if (widthPx === 0 || drawn.get(box) === wanted) return
  drawn.set(box, wanted)
  const path = barPath(peaks, widthPx)
  for (const svg of box.querySelectorAll('svg')) {
    svg.setAttribute('viewBox', `0 0 ${widthPx} ${heightPx}`)
    svg.querySelector('path')?.setAttribute('d', path)
  }
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
