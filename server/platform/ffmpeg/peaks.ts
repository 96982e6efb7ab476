// Computes waveform peaks from streamed PCM, with constant memory for any length.

/** Number of peaks of a track. Fewer only if it has fewer frames. */
export const peakCount = 800
/** Fine bins are kept between this many and half of it, so a peak spans at least ten of them. */
const maxBins = 16_384

export class PeakCollector {
  private bins = new Float32Array(maxBins)
  private usedBins = 0
  private framesPerBin = 16
  private framesInBin = 0
  private frameTotal = 0
  private readonly channels: number

  constructor(channels: number) {
    this.channels = channels
  }

  /** Frames (one sample per channel) taken so far. */
  get frames(): number {
    return this.frameTotal
  }

  /** Takes interleaved signed 16-bit samples, whole frames only. */
  add(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i += this.channels) {
      let peak = this.bins[this.usedBins] ?? 0
      for (let c = 0; c < this.channels; c += 1) {
        peak = Math.max(peak, Math.abs(samples[i + c] ?? 0))
      }
      this.bins[this.usedBins] = peak
      this.framesInBin += 1
      if (this.framesInBin === this.framesPerBin) this.closeBin()
    }
    this.frameTotal += samples.length / this.channels
  }

  /**
   * The loudest sample of each of `count` equal time spans, over all channels. Linear amplitude: 255 is full scale
   * (0 dBFS), 128 half of it (-6 dBFS). The caller decides on scaling, for example to the track's maximum.
   */
  finish(count = peakCount): Uint8Array {
    const binTotal = this.usedBins + (this.framesInBin > 0 ? 1 : 0)
    const length = Math.min(count, binTotal)
    return Uint8Array.from({ length }, (_, i) => {
      const from = Math.floor((i * binTotal) / length)
      const to = Math.floor(((i + 1) * binTotal) / length)
      const loudest = this.bins.subarray(from, to).reduce((a, b) => Math.max(a, b), 0)
      return Math.min(255, Math.round((loudest / 32_768) * 255))
    })
  }

  private closeBin(): void {
    this.framesInBin = 0
    this.usedBins += 1
    if (this.usedBins === maxBins) this.halveResolution()
  }

  private halveResolution(): void {
    const { bins } = this
    for (let i = 0; i < maxBins / 2; i += 1) {
      bins[i] = Math.max(bins[2 * i] ?? 0, bins[2 * i + 1] ?? 0)
    }
    bins.fill(0, maxBins / 2)
    this.usedBins = maxBins / 2
    this.framesPerBin *= 2
  }
}
