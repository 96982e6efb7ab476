// The inverse Fourier transform from a spectrum to a signal: radix 2, in place.

/** cos and sin of a full turn divided into `size` steps, cached per size. */
const turns = new Map<number, { cosines: Float64Array; sines: Float64Array }>()

function turnOf(size: number) {
  const known = turns.get(size)
  if (known) return known
  const half = size / 2
  const turn = { cosines: new Float64Array(half), sines: new Float64Array(half) }
  for (let index = 0; index < half; index++) {
    turn.cosines[index] = Math.cos((2 * Math.PI * index) / size)
    turn.sines[index] = Math.sin((2 * Math.PI * index) / size)
  }
  turns.set(size, turn)
  return turn
}

function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length
  for (let index = 1, mirror = 0; index < size; index++) {
    let bit = size >> 1
    for (; mirror & bit; bit >>= 1) mirror ^= bit
    mirror ^= bit
    if (index >= mirror) continue
    const a = real[index]!
    real[index] = real[mirror]!
    real[mirror] = a
    const b = imaginary[index]!
    imaginary[index] = imaginary[mirror]!
    imaginary[mirror] = b
  }
}

/** Transforms a complex spectrum to a complex signal in place, without the factor 1/N. */
function inverseComplex(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length
  const { cosines, sines } = turnOf(size)
  reverseBits(real, imaginary)
  for (let span = 1; span < size; span *= 2) {
    const stride = size / 2 / span
    for (let start = 0; start < size; start += span * 2) {
      for (let offset = 0; offset < span; offset++) {
        const cosine = cosines[offset * stride]!
        const sine = sines[offset * stride]!
        const low = start + offset
        const high = low + span
        const re = real[high]! * cosine - imaginary[high]! * sine
        const im = real[high]! * sine + imaginary[high]! * cosine
        real[high] = real[low]! - re
        imaginary[high] = imaginary[low]! - im
        real[low]! += re
        imaginary[low]! += im
      }
    }
  }
}

/**
 * A real signal of twice the length of `real` and `imaginary` (bins 0 to N/2 - 1 of its spectrum, a power of two),
 * without the 1/N. Even samples are computed as the real parts and odd ones as the imaginary parts of a transform of
 * half the size.
 */
export function inverseReal(real: Float64Array, imaginary: Float64Array): Float32Array {
  const half = real.length
  const { cosines, sines } = turnOf(half * 2)
  const re = new Float64Array(half)
  const im = new Float64Array(half)
  for (let bin = 0; bin < half; bin++) {
    const mirror = bin === 0 ? 0 : half - bin
    const mirrored = bin === 0 ? 0 : 1
    const evenRe = real[bin]! + real[mirror]! * mirrored
    const evenIm = imaginary[bin]! - imaginary[mirror]! * mirrored
    const oddRe = real[bin]! - real[mirror]! * mirrored
    const oddIm = imaginary[bin]! + imaginary[mirror]! * mirrored
    const cosine = cosines[bin]!
    const sine = sines[bin]!
    re[bin] = evenRe - (oddRe * sine + oddIm * cosine)
    im[bin] = evenIm + (oddRe * cosine - oddIm * sine)
  }
  inverseComplex(re, im)
  const signal = new Float32Array(half * 2)
  for (let index = 0; index < half; index++) {
    signal[index * 2] = re[index]!
    signal[index * 2 + 1] = im[index]!
  }
  return signal
}
