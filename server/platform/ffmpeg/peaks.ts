// Computes waveform peaks from streamed PCM. Memory use is the same for any length.

/** Number of peaks of a track. A track with fewer frames has fewer. */
export const peakCount = 800
/** The collector keeps between half of this many and this many bins, so that a peak covers at least ten of them. */
const maxBins = 16_384

export interface PeakCollector {
  /** Number of frames added so far. A frame is one sample per channel. */
  readonly frames: number
  /** Adds interleaved signed 16-bit samples, only whole frames. */
  add: (samples: Int16Array) => void
  /**
   * Returns the loudest sample in each of `count` equal time spans, over all channels. Linear amplitude: 255 is full
   * scale (0 dBFS), 128 half of it (-6 dBFS). The caller may scale the values, for example to the track's maximum.
   */
  finish: (count?: number) => Uint8Array
}

export function createPeakCollector(channels: number): PeakCollector {
  const bins = new Float32Array(maxBins)
  let usedBins = 0
  let framesPerBin = 16
  let framesInBin = 0
  let frameTotal = 0

  function closeBin(): void {
    framesInBin = 0
    usedBins += 1
    if (usedBins < maxBins) return
    halveResolution(bins)
    usedBins = maxBins / 2
    framesPerBin *= 2
  }

  return {
    get frames() {
      return frameTotal
    },
    add(samples) {
      for (let i = 0; i < samples.length; i += channels) {
        let peak = bins[usedBins] ?? 0
        for (let c = 0; c < channels; c += 1) peak = Math.max(peak, Math.abs(samples[i + c] ?? 0))
        bins[usedBins] = peak
        framesInBin += 1
        if (framesInBin === framesPerBin) closeBin()
      }
      frameTotal += samples.length / channels
    },
    finish(count = peakCount) {
      const binTotal = usedBins + (framesInBin > 0 ? 1 : 0)
      const length = Math.min(count, binTotal)
      return Uint8Array.from({ length }, (_, i) => {
        const from = Math.floor((i * binTotal) / length)
        const to = Math.floor(((i + 1) * binTotal) / length)
        const loudest = bins.subarray(from, to).reduce((a, b) => Math.max(a, b), 0)
        return Math.min(255, Math.round((loudest / 32_768) * 255))
      })
    },
  }
}

function halveResolution(bins: Float32Array): void {
  for (let i = 0; i < maxBins / 2; i += 1) {
    bins[i] = Math.max(bins[2 * i] ?? 0, bins[2 * i + 1] ?? 0)
  }
  bins.fill(0, maxBins / 2)
}
