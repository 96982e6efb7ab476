// Power spectrum of real samples: a radix-2 fast Fourier transform over half as many complex numbers.

export interface PowerSpectrum {
  /**
   * Computes the power spectrum of `size` samples with a Hann window: one value per bin from 0 up to, but not
   * including, half the sample rate. The next call overwrites the returned array.
   */
  measure: (samples: Float32Array) => Float64Array
}

/** `size` must be a power of two. */
export function createPowerSpectrum(size: number): PowerSpectrum {
  const half = size / 2
  const power = new Float64Array(half)
  const re = new Float64Array(half)
  const im = new Float64Array(half)
  const window = Float64Array.from(
    { length: size },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size),
  )
  const cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sin = Float64Array.from({ length: half }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
  const bits = Math.log2(half)
  const reversed = Uint16Array.from({ length: half }, (_, i) => {
    let value = 0
    for (let bit = 0; bit < bits; bit += 1) value |= ((i >> bit) & 1) << (bits - 1 - bit)
    return value
  })
  return {
    measure(samples) {
      for (let i = 0; i < half; i += 1) {
        const to = reversed[i]!
        re[to] = samples[2 * i]! * window[2 * i]!
        im[to] = samples[2 * i + 1]! * window[2 * i + 1]!
      }
      transform(re, im, cos, sin)
      unpack(re, im, cos, sin, power)
      return power
    },
  }
}

function transform(re: Float64Array, im: Float64Array, cos: Float64Array, sin: Float64Array): void {
  const half = re.length
  for (let width = 1; width < half; width *= 2) {
    // The twiddle factors are those of the full size, which has twice as many points as this transform.
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
function unpack(
  re: Float64Array,
  im: Float64Array,
  cos: Float64Array,
  sin: Float64Array,
  power: Float64Array,
): void {
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
