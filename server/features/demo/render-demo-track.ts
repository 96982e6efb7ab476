// Renders an entry of the demo catalog to the WAV file that an admin would have uploaded.

import { composeTrack } from './compose-track.ts'
import type { DemoTrack } from './demo-tracks.ts'
import { encodeWav } from './encode-wav.ts'
import { renderTrack } from './render-track.ts'

/** WAV bytes: 16-bit stereo at 44.1 kHz, `duration_seconds` long. Uses a core for several seconds. */
export function renderDemoTrack(track: DemoTrack): Buffer {
  const { seed, mood, tempo, duration_seconds: durationSeconds } = track
  return encodeWav(renderTrack(composeTrack({ seed, mood, durationSeconds, tempo })))
}
