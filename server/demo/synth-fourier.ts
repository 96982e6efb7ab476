// An in-place radix-2 Fourier transform, for the tables of sustained sounds.

/** cos and sin of one turn in `size` steps, kept per size. */
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

/** Spectrum to signal, without the 1/N; both arrays have the same power of two as length. */
export function inverseTransform(real: Float64Array, imaginary: Float64Array): void {
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
