// Power spectrum of real samples: a radix-2 fast Fourier transform over half as many complex numbers.

export class PowerSpectrum {
  readonly size: number
  /** One value for each bin from 0 up to half the sample rate, excluding it. */
  readonly power: Float64Array
  private readonly window: Float64Array
  private readonly re: Float64Array
  private readonly im: Float64Array
  private readonly reversed: Uint16Array
  private readonly cos: Float64Array
  private readonly sin: Float64Array

  /** `size` is a power of two. */
  constructor(size: number) {
    const half = size / 2
    this.size = size
    this.power = new Float64Array(half)
    this.re = new Float64Array(half)
    this.im = new Float64Array(half)
    this.window = Float64Array.from(
      { length: size },
      (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size),
    )
    this.cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size))
    this.sin = Float64Array.from({ length: half }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
    const bits = Math.log2(half)
    this.reversed = Uint16Array.from({ length: half }, (_, i) => {
      let value = 0
      for (let bit = 0; bit < bits; bit += 1) value |= ((i >> bit) & 1) << (bits - 1 - bit)
      return value
    })
  }

  /** Computes `power` of `size` samples under a Hann window. */
  measure(samples: Float32Array): Float64Array {
    const { re, im, reversed, window } = this
    for (let i = 0; i < re.length; i += 1) {
      const to = reversed[i]!
      re[to] = samples[2 * i]! * window[2 * i]!
      im[to] = samples[2 * i + 1]! * window[2 * i + 1]!
    }
    this.transform()
    this.unpack()
    return this.power
  }

  private transform(): void {
    const { re, im, cos, sin } = this
    const half = re.length
    for (let width = 1; width < half; width *= 2) {
      // Twiddle factors are stored for the full size, which has twice as many points.
      const step = half / width
      for (let offset = 0; offset < width; offset += 1) {
        const c = cos[offset * step]!
        const s = sin[offset * step]!
        for (let a = offset; a < half; a += 2 * width) {
          const b = a + width
          const x = re[b]! * c - im[b]! * s
          const y = re[b]! * s + im[b]! * c
          re[b] = re[a]! - x
          im[b] = im[a]! - y
          re[a] = re[a]! + x
          im[a] = im[a]! + y
        }
      }
    }
  }

  /** Separates the spectra of even and odd samples, which were transformed as real and imaginary parts. */
  private unpack(): void {
    const { re, im, cos, sin, power } = this
    const half = re.length
    for (let k = 0; k < half; k += 1) {
      const mirror = (half - k) & (half - 1)
      const evenRe = (re[k]! + re[mirror]!) / 2
      const evenIm = (im[k]! - im[mirror]!) / 2
      const oddRe = (im[k]! + im[mirror]!) / 2
      const oddIm = (re[mirror]! - re[k]!) / 2
      const x = evenRe + oddRe * cos[k]! - oddIm * sin[k]!
      const y = evenIm + oddRe * sin[k]! + oddIm * cos[k]!
      power[k] = x * x + y * y
    }
  }
}
