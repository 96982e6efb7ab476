import { expect, test } from 'vitest'
import { encodeWav } from './encode-wav.ts'

function encodeRamp(samples: number) {
  const left = Float32Array.from({ length: samples }, (_, index) => (index / samples) * 1.8 - 0.9)
  const right = left.map((value) => -value)
  return { left, wav: encodeWav({ sampleRate: 44100, left, right }) }
}

test('writes a canonical header', () => {
  const { wav } = encodeRamp(1000)
  expect(wav.length).toBe(44 + 4000)
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8)
  expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ')
  expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual([1, 2, 44100])
  expect([wav.readUInt32LE(28), wav.readUInt16LE(32), wav.readUInt16LE(34)]).toEqual([
    176400, 4, 16,
  ])
  expect(wav.readUInt32LE(40)).toBe(4000)
})

test('reproduces every sample to within the dither, with interleaved channels', () => {
  const { left, wav } = encodeRamp(1000)
  for (let index = 0; index < left.length; index++) {
    const wanted = left[index]! * 32767
    expect(Math.abs(wav.readInt16LE(44 + index * 4) - wanted)).toBeLessThanOrEqual(1.5)
    expect(Math.abs(wav.readInt16LE(46 + index * 4) + wanted)).toBeLessThanOrEqual(1.5)
  }
})

test('clips samples beyond full scale instead of wrapping', () => {
  const loud = new Float32Array(8).fill(1.5)
  const wav = encodeWav({ sampleRate: 44100, left: loud, right: loud.map((value) => -value) })
  expect([wav.readInt16LE(44), wav.readInt16LE(46)]).toEqual([32767, -32768])
})

test('dithers: a level below one step survives as an average', () => {
  const quiet = new Float32Array(40_000).fill(0.3 / 32767)
  const wav = encodeWav({ sampleRate: 44100, left: quiet, right: quiet })
  let sum = 0
  for (let offset = 44; offset < wav.length; offset += 2) sum += wav.readInt16LE(offset)
  expect(sum / 80_000).toBeCloseTo(0.3, 1)
})
