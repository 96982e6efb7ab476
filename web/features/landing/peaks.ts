// Prepares the stored waveform for drawing.

/** Decodes the peaks of a track from base64: one byte per peak, 255 = loudest. Empty for a track without peaks. */
export function decodePeaks(base64: string | null): Uint8Array {
  return base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : new Uint8Array()
}

/**
 * Returns the loudest peak of each of `count` equal sections, from 0 to 1. Without peaks, all values are equal and low.
 */
export function barHeights(peaks: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, bar) => {
    if (peaks.length === 0) return 0.12
    const from = Math.floor((bar * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count))
    return Math.max(...peaks.subarray(from, to)) / 255
  })
}
