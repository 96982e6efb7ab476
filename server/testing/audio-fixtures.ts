// Generates audio files for tests, and a temporary folder for them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createFfmpeg, type Ffmpeg } from '../platform/ffmpeg/ffmpeg.ts'

/** Returns the amplitude, -1 to 1, at a time in seconds. */
export type Signal = (seconds: number) => number

/** Returns the WebAssembly build from the package, and the system's ffmpeg if it is on the PATH. */
export async function allFfmpegs(): Promise<Ffmpeg[]> {
  const [shipped, found] = [await createFfmpeg({ ffmpegPath: 'wasm' }), await createFfmpeg()]
  return found.backend === 'wasm' ? [shipped] : [shipped, found]
}

/** Creates a folder for one test file. It is deleted after the tests. */
export async function createTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-media-test-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}

/** Creates a sine wave of `hertz` whose peaks are at `dbfs`. */
export function createSine(hertz: number, dbfs = -12, phase = 0): Signal {
  const amplitude = 10 ** (dbfs / 20)
  return (seconds) => amplitude * Math.sin(2 * Math.PI * hertz * seconds + phase)
}

export type WavShape = { seconds: number; sampleRate?: number; channels?: number }

/** Writes a 16-bit PCM WAV with the same signal on all channels. Returns its path. */
export async function writeWav(path: string, signal: Signal, shape: WavShape): Promise<string> {
  await writeFile(path, encodeWav(signal, shape))
  return path
}

export function encodeWav(
  signal: Signal,
  { seconds, sampleRate = 44_100, channels = 2 }: WavShape,
): Buffer {
  const frames = Math.round(seconds * sampleRate)
  const frameBytes = channels * 2
  const bytes = Buffer.alloc(44 + frames * frameBytes)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(channels, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * frameBytes, 28)
  bytes.writeUInt16LE(frameBytes, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(frames * frameBytes, 40)
  for (let i = 0; i < frames; i += 1) {
    const value = Math.round(Math.max(-1, Math.min(1, signal(i / sampleRate))) * 32_767)
    for (let c = 0; c < channels; c += 1) bytes.writeInt16LE(value, 44 + i * frameBytes + c * 2)
  }
  return bytes
}

/** Decodes a file and returns the left channel at 44.1 kHz, -1 to 1. */
export async function decodeLeft(ffmpeg: Ffmpeg, path: string): Promise<Float32Array> {
  const chunks: Buffer[] = []
  await ffmpeg.run(
    ['-i', path, '-map', '0:a:0', '-af', 'pan=mono|c0=c0', '-ar', '44100', '-f', 'f32le', 'pipe:1'],
    {
      inputs: [path],
      outputs: [],
      timeoutMs: 60_000,
      onOutput: (bytes) => void chunks.push(bytes),
    },
  )
  return new Float32Array(new Uint8Array(Buffer.concat(chunks)).buffer)
}

/** Returns the largest absolute sample between two times in seconds, at 44.1 kHz. */
export function findPeak(samples: Float32Array, from: number, to: number): number {
  return samples
    .subarray(Math.round(from * 44_100), Math.round(to * 44_100))
    .reduce((peak, value) => Math.max(peak, Math.abs(value)), 0)
}
