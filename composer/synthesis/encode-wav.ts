// Encodes samples as a WAV file: 16-bit PCM with triangular dither, so that fades end in silence instead of distortion.

import { createRandom } from '../composition/compose-random.ts'
import type { Rendered } from './render-track.ts'

const headerBytes = 44

function writeHeader(buffer: Buffer, sampleRate: number): void {
  buffer.write('RIFF', 0, 'latin1')
  buffer.writeUInt32LE(buffer.length - 8, 4)
  buffer.write('WAVEfmt ', 8, 'latin1')
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(1, 20)
  buffer.writeUInt16LE(2, 22)
  buffer.writeUInt32LE(sampleRate, 24)
  buffer.writeUInt32LE(sampleRate * 4, 28)
  buffer.writeUInt16LE(4, 32)
  buffer.writeUInt16LE(16, 34)
  buffer.write('data', 36, 'latin1')
  buffer.writeUInt32LE(buffer.length - headerBytes, 40)
}

/** A whole WAV file. The dither is deterministic, so equal samples give equal bytes. */
export function encodeWav(rendered: Rendered): Buffer {
  const { left, right } = rendered
  const buffer = Buffer.alloc(headerBytes + left.length * 4)
  writeHeader(buffer, rendered.sampleRate)
  const random = createRandom(left.length, 'dither')
  const samples = new Int16Array(buffer.buffer, buffer.byteOffset + headerBytes, left.length * 2)
  const quantize = (value: number) =>
    Math.max(-32768, Math.min(32767, Math.round(value * 32767 + random.next() - random.next())))
  for (let index = 0; index < left.length; index++) {
    samples[index * 2] = quantize(left[index]!)
    samples[index * 2 + 1] = quantize(right[index]!)
  }
  return buffer
}
