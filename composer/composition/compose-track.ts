// The composer: turns a seed and a mood into a whole song as data. Equal input gives equal music.

import { type Mode, nameKey } from './compose-chords.ts'
import { playBand } from './compose-band.ts'
import { planForm } from './compose-form.ts'
import { layChords } from './compose-harmony.ts'
import { composeMelody } from './compose-melody.ts'
import type { Composition, Mood } from './compose-model.ts'
import type { MoodStyle } from './compose-plan.ts'
import { createRandom } from './compose-random.ts'
import type { Song } from './compose-song.ts'
import { focusStyle } from './compose-style-focus.ts'
import { gospelStyle } from './compose-style-gospel.ts'
import { romanticChillStyle } from './compose-style-romantic-chill.ts'
import { studyStyle } from './compose-style-study.ts'
import { workoutStyle } from './compose-style-workout.ts'

export type TrackSpec = {
  seed: number
  mood: Mood
  /** Accepted range: 35 to 300. */
  durationSeconds: number
  /** Pitch class of the tonic, 0 = C; by default drawn from the mood's tonics. */
  key?: number
  /** Desired beats per minute; adjusted by a few percent so that whole bars fill the duration. */
  tempo?: number
}

export const moodStyles: Record<Mood, MoodStyle> = {
  focus: focusStyle,
  'romantic-chill': romanticChillStyle,
  workout: workoutStyle,
  study: studyStyle,
  gospel: gospelStyle,
}

/** Seconds reserved after the last bar for the last chord to ring. */
const ringSeconds = 5

/**
 * Returns the nearest even number of bars, and the tempo at which they end `ringSeconds` before the end of the track.
 */
function fitBars(durationSeconds: number, desiredTempo: number, beatsPerBar: number) {
  const seconds = durationSeconds - ringSeconds
  const desiredBars = (seconds * desiredTempo) / 60 / beatsPerBar
  const bars = Math.max(8, Math.round(desiredBars / 2) * 2)
  return { bars, tempo: (bars * beatsPerBar * 60) / seconds }
}

export function composeTrack(spec: TrackSpec): Composition {
  const style = moodStyles[spec.mood]
  const random = createRandom(spec.seed, `${spec.mood} frame`)
  const drawn = { tempo: random.range(...style.tempo), tonic: random.pick(style.tonics) }
  const desiredTempo = spec.tempo ?? drawn.tempo
  const tonic = spec.key ?? drawn.tonic
  const swing = random.range(...style.swing)
  const { bars, tempo } = fitBars(spec.durationSeconds, desiredTempo, style.beatsPerBar)
  const sections = planForm(bars, style.beatsPerBar, random.pick(style.lifts))
  const mode: Mode = style.mode
  const ringBeats = (ringSeconds * tempo) / 60
  const chosen = {
    verse: random.pick(style.progressions.verse),
    chorus: random.pick(style.progressions.chorus),
    bridge: random.pick(style.progressions.bridge),
    ending: random.pick(style.progressions.ending),
  }
  const { beatsPerBar, stepsPerBeat } = style
  const chords = layChords(sections, chosen, { tonic, mode, beatsPerBar, ringBeats })
  const song: Song = {
    tonic,
    mode,
    tempo,
    beatsPerBar,
    stepsPerBeat,
    sections,
    chords,
    ringBeats,
    random: (label) => createRandom(spec.seed, `${spec.mood} ${label}`),
  }
  return {
    seed: spec.seed,
    mood: spec.mood,
    durationSeconds: spec.durationSeconds,
    tempo,
    key: nameKey(tonic, mode),
    tonic,
    beatsPerBar,
    stepsPerBeat,
    sections,
    chords,
    parts: playBand(song, style.parts, composeMelody(song, style.melody), swing),
    production: style.production,
  }
}
