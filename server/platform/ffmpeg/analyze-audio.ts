// Analyzes the sound of a file in one decode: exact duration, loudness, waveform and the features that tracks are
// compared by. The PCM is processed as a stream, in a separate thread.
import {
  buildInputArguments,
  chooseSampleRate,
  buildStereoFilters,
  type AudioSource,
} from './decode-arguments.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { loudnessFilter, readLoudness, type Loudness } from './loudness.ts'
import { MediaError } from './media-error.ts'
import { defaultMaxDurationSeconds, createTooLongError } from './probe.ts'
import { computeWorkTimeoutMs } from './work-timeout.ts'
import type { SoundFeatures } from '../sound/sound-features.ts'

export type AudioAnalysis = {
  /** Computed from the number of decoded samples. */
  durationSeconds: number
  loudness: Loudness
  /** The waveform, see PeakCollector.finish. */
  peaks: Uint8Array
  /** Null if the file contains only silence. */
  features: SoundFeatures | null
}

/** Minimum length of a track. A player could not seek in a shorter file. */
const minSeconds = 0.5
/** How much shorter than its header a file may be. Encoder padding and rounding stay well below this. */
const missingSecondsAllowed = 1

/**
 * Throws `media_damaged` when the file cannot be decoded or ends well before the duration in its header,
 * `media_too_long`, and the errors of Ffmpeg.run.
 */
export async function analyzeAudio(
  ffmpeg: Ffmpeg,
  source: AudioSource & { durationSeconds?: number | undefined },
  options: {
    maxDurationSeconds?: number
    timeoutMs?: number
    signal?: AbortSignal
    onProgress?: (share: number) => void
  } = {},
): Promise<AudioAnalysis> {
  const maxDurationSeconds = options.maxDurationSeconds ?? defaultMaxDurationSeconds
  const filters = [...buildStereoFilters(source), loudnessFilter].join(',')
  const limits = ['-t', String(maxDurationSeconds + 1)]
  const sampleRate = chooseSampleRate(source)
  const { log, frames, peaks, features } = await ffmpeg.measure(
    [
      ...buildInputArguments(source),
      '-map',
      '0:a:0',
      '-af',
      filters,
      ...limits,
      '-f',
      's16le',
      'pipe:1',
    ],
    {
      sampleRate,
      inputs: [source.path],
      outputs: [],
      timeoutMs: options.timeoutMs ?? computeWorkTimeoutMs(source.durationSeconds),
      signal: options.signal,
      durationSeconds: source.durationSeconds,
      onProgress: options.onProgress,
    },
  )
  const durationSeconds = frames / sampleRate
  checkDuration(durationSeconds, source.durationSeconds, maxDurationSeconds, log)
  return { durationSeconds, loudness: readLoudness(log), peaks, features }
}

function checkDuration(
  durationSeconds: number,
  claimed: number | undefined,
  max: number,
  toolLog: string,
): void {
  if (durationSeconds > max) throw createTooLongError(max)
  if (durationSeconds < minSeconds) {
    throw new MediaError('media_damaged', 'This file contains no sound that can be played.', {
      toolLog,
    })
  }
  const missingSeconds = (claimed ?? 0) - durationSeconds
  if (missingSeconds > Math.max(missingSecondsAllowed, 0.01 * durationSeconds)) {
    const message = `The file ends too early: ${Math.round(missingSeconds)} seconds are missing.`
    throw new MediaError('media_damaged', message, { toolLog })
  }
}
