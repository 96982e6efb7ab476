// Computes the acoustic fingerprint of a file before it becomes a track. Decodes only the part that the fingerprint
// covers.
import {
  inputArguments,
  outputSampleRate,
  stereoFilters,
  type AudioSource,
} from './decode-arguments.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { isPermanentMediaError } from './media-error.ts'

const decodedSeconds = 125
const timeoutMs = 60_000

/** Null if the file is silent, too short or damaged. Processing reports the reason later. */
export async function fingerprintAudio(
  ffmpeg: Ffmpeg,
  source: AudioSource,
): Promise<Uint8Array | null> {
  const args = [
    ['-t', String(decodedSeconds)],
    inputArguments(source),
    ['-map', '0:a:0', '-af', stereoFilters(source).join(','), '-f', 's16le', 'pipe:1'],
  ].flat()
  const sampleRate = outputSampleRate(source)
  try {
    const run = { sampleRate, inputs: [source.path], outputs: [], timeoutMs }
    const { features } = await ffmpeg.measure(args, run)
    return features?.fingerprint ?? null
  } catch (error) {
    if (isPermanentMediaError(error)) return null
    throw error
  }
}
