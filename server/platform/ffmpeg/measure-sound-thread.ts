// Thread that measures the PCM output of ffmpeg commands, one after the other. A song has 30 MB of PCM. Garbage
// collection of that on the server's heap would delay all responses.
import { parentPort } from 'node:worker_threads'
import { runFfmpegProcess, type FfmpegExit, type FfmpegProcess } from './ffmpeg-process.ts'
import { MediaError, type MediaErrorCode } from './media-error.ts'
import { createPeakCollector } from './peaks.ts'
import { createSoundCollector } from '../sound/sound-collector.ts'
import type { SoundFeatures } from '../sound/sound-features.ts'

/** A command that writes signed 16-bit stereo samples to `pipe:1`, or the message that cancels it. */
export type SoundOrder =
  | (Omit<FfmpegProcess, 'signal' | 'onProgress' | 'onOutput'> & { sampleRate: number })
  | 'stop'

export interface MeasuredSound {
  exit: FfmpegExit
  /** Number of samples in each channel. */
  frames: number
  /** See PeakCollector.finish. */
  peaks: Uint8Array
  /** See SoundCollector.finish. */
  features: SoundFeatures | null
}

/** Any number of messages with `share`, followed by one of the others. */
export type SoundResponse =
  | { share: number }
  | { sound: MeasuredSound }
  | { failure: { code: MediaErrorCode; message: string } }

const channels = 2
const frameBytes = channels * 2
let stop = new AbortController()

parentPort?.on('message', (order: SoundOrder) => {
  if (order === 'stop') return stop.abort()
  stop = new AbortController()
  void measure(order, stop.signal).then(respond)
})

const respond = (found: SoundResponse) => parentPort?.postMessage(found)

async function measure(
  { sampleRate, ...command }: Exclude<SoundOrder, 'stop'>,
  signal: AbortSignal,
): Promise<SoundResponse> {
  const peaks = createPeakCollector(channels)
  const sound = createSoundCollector(sampleRate)
  try {
    const exit = await runFfmpegProcess({
      ...command,
      signal,
      onProgress: (share) => respond({ share }),
      onOutput: inWholeFrames((samples) => {
        peaks.add(samples)
        sound.add(samples)
      }),
    })
    const { frames } = peaks
    return { sound: { exit, frames, peaks: peaks.finish(), features: sound.finish() } }
  } catch (error) {
    if (error instanceof MediaError)
      return { failure: { code: error.code, message: error.message } }
    if (!signal.aborted) throw error
    return {
      failure: { code: 'media_tool_failed', message: 'The caller no longer needs the result.' },
    }
  }
}

/** Chunks from a pipe can end anywhere. Combines them to whole frames, aligned for Int16Array. */
function inWholeFrames(take: (samples: Int16Array) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const usable = all.length - (all.length % frameBytes)
    take(toSamples(all.subarray(0, usable)))
    rest = Buffer.from(all.subarray(usable))
  }
}

/** Copies only if the bytes are not aligned. */
function toSamples(bytes: Buffer): Int16Array {
  const sampleBytes = Int16Array.BYTES_PER_ELEMENT
  const isAligned = bytes.byteOffset % sampleBytes === 0
  const { buffer, byteOffset } = isAligned ? bytes : Uint8Array.from(bytes)
  return new Int16Array(buffer, byteOffset, bytes.length / sampleBytes)
}
