// Computes the acoustic fingerprint of a file before it becomes a track. Decodes only the beginning, which the
// fingerprint covers.
import {
  buildInputArguments,
  chooseSampleRate,
  buildStereoFilters,
  type AudioSource,
} from './decode-arguments.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { isPermanentMediaError } from './media-error.ts'

const decodedSeconds = 125
const timeoutMs = 60_000

/** Returns null if the file is silent, too short or damaged. Processing reports the reason later. */
export async function computeAudioFingerprint(
  ffmpeg: Ffmpeg,
  source: AudioSource,
): Promise<Uint8Array | null> {
  const args = [
    ['-t', String(decodedSeconds)],
    buildInputArguments(source),
    ['-map', '0:a:0', '-af', buildStereoFilters(source).join(','), '-f', 's16le', 'pipe:1'],
  ].flat()
  const sampleRate = chooseSampleRate(source)
  try {
    const run = { sampleRate, inputs: [source.path], outputs: [], timeoutMs }
    const { features } = await ffmpeg.measure(args, run)
    return features?.fingerprint ?? null
  } catch (error) {
    if (isPermanentMediaError(error)) return null
    throw error
  }
}
