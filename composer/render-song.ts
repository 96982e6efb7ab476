import type { Song } from './catalogue.ts'
import { composeTrack } from './composition/compose-track.ts'
import { encodeWav } from './synthesis/encode-wav.ts'
import { renderTrack } from './synthesis/render-track.ts'

/** WAV bytes: 16-bit stereo at 44.1 kHz, `duration_seconds` long. Uses a core for several seconds. */
export function renderSong(song: Song): Buffer {
  const { seed, mood, tempo, duration_seconds: durationSeconds } = song
  return encodeWav(renderTrack(composeTrack({ seed, mood, durationSeconds, tempo })))
}
