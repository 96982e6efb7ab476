// Loudness of a media element: the user's volume, the track's leveling and fades, as amplitude factors. An element can
// only attenuate, so a quiet track is raised no further than the headroom of the volume control
// (docs/decisions/0010-two-media-elements.md).
import type { PlayerTrack } from '../queue/player-track.ts'

/** Integrated loudness that every track is normalized to, in LUFS (EBU R128 measure, streaming level). */
export const targetLoudnessLufs = -14
/** Limit of a track's true peak after leveling, in dBTP. */
export const truePeakCeilingDbtp = -1

/**
 * Slider 0–100 to amplitude 0–1. Squared, because loudness is perceived by ratio: the middle of the slider sounds about
 * half as loud.
 */
export function volumeGain(volume: number): number {
  return (Math.min(Math.max(volume, 0), 100) / 100) ** 2
}

/** Returns the amplitude factor that brings a track to the target; 1 for a track that was never measured. */
export function levellingGain(
  track: Pick<PlayerTrack, 'loudness_lufs' | 'true_peak_dbtp'>,
): number {
  if (track.loudness_lufs === null) return 1
  const wantedDb = targetLoudnessLufs - track.loudness_lufs
  // Without a measured peak the safe gain is unknown, so the track is never raised.
  const allowedDb = track.true_peak_dbtp === null ? 0 : truePeakCeilingDbtp - track.true_peak_dbtp
  return decibelsToGain(Math.min(wantedDb, allowedDb))
}

/** Returns the value for an element's `volume`: the product of the gains, clamped to 0–1. */
export function elementVolume(...gains: number[]): number {
  const product = gains.reduce((all, gain) => all * gain, 1)
  return Math.min(Math.max(product, 0), 1)
}

/** Amplitudes of the two tracks at a point (0–1) of a crossfade; their powers always add up to one. */
export function crossfadeGains(progress: number): { from: number; to: number } {
  const angle = (Math.min(Math.max(progress, 0), 1) * Math.PI) / 2
  return { from: Math.cos(angle), to: Math.sin(angle) }
}

function decibelsToGain(decibels: number): number {
  return 10 ** (decibels / 20)
}
