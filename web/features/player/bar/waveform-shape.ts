// Converts the peaks that the server measured to the bars of a waveform. Pure functions.

/** Bar height when there are no peaks: a flat line. */
const unknownLevel = 0.1
/** Minimum bar height, so that silence is drawn as a dot. */
const leastLevel = 0.06

/** Decodes peaks from base64: one byte per peak, 255 = loudest. Empty if the text is missing or invalid. */
export function decodePeaks(base64: string | null | undefined): Uint8Array {
  if (!base64) return new Uint8Array()
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/**
 * Returns heights from 0 to 1 of `count` bars. `part` is the fraction of the track to show, from its beginning: a
 * preview shows only its own part.
 */
export function barLevels(peaks: Uint8Array, count: number, part = 1): number[] {
  if (peaks.length === 0) return Array.from({ length: count }, () => unknownLevel)
  const shown = Math.max(1, Math.round(peaks.length * Math.min(Math.max(part, 0), 1)))
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * shown) / count)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * shown) / count))
    return Math.max(leastLevel, Math.max(...peaks.subarray(from, to)) / 255)
  })
}

/** Returns one vertical stroke per bar, centered, as the `d` of an SVG path. Strokes need round caps. */
export function barPath(levels: readonly number[], widthPx: number, heightPx: number): string {
  const pitch = widthPx / levels.length
  const cap = Math.min(pitch, 3) / 2
  return levels
    .map((level, bar) => {
      const length = Math.max(0.1, level * heightPx - 2 * cap)
      const x = ((bar + 0.5) * pitch).toFixed(1)
      return `M${x} ${((heightPx - length) / 2).toFixed(1)}v${length.toFixed(1)}`
    })
    .join('')
}
