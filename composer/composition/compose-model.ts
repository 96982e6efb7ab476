// The composition model: pure data passed from the composer (compose-*.ts) to the synthesizer (synth-*.ts). Beats count
// from the start of the track; pitches are MIDI note numbers (60 = middle C).

export type Mood = 'focus' | 'romantic-chill' | 'workout' | 'study' | 'gospel'

export type SectionName = 'intro' | 'verse' | 'chorus' | 'bridge' | 'outro'

export type Section = {
  name: SectionName
  startBeat: number
  bars: number
  /** 0 for the first section of its name, 1 for the second, … */
  occurrence: number
  /** Intensity of the section: 0 (sparse) to 1 (full). */
  energy: number
  /** Semitones above the track's key. Only a last chorus is raised. */
  transpose: number
}

export type Chord = {
  beat: number
  beats: number
  symbol: string
  root: number
  bass: number
  /** Pitch classes, root first. */
  tones: readonly number[]
  /** Pitch classes that fit this chord, ascending from C. */
  scale: readonly number[]
}

export type Note = {
  beat: number
  beats: number
  pitch: number
  /** 0 to 1. */
  velocity: number
  /** Timing offset from the written beat: swing, a relaxed drummer, a rolled chord. */
  shiftSeconds: number
}

export type StruckInstrument =
  | 'electric-piano'
  | 'felt-piano'
  | 'grand-piano'
  | 'vibraphone'
  | 'kalimba'
  | 'glass-bell'
  | 'marimba'
  | 'nylon-guitar'
  | 'muted-guitar'
  | 'synth-pluck'
  | 'upright-bass'
export type LoopedInstrument =
  | 'warm-pad'
  | 'air-pad'
  | 'strings'
  | 'choir-ooh'
  | 'choir-aah'
  | 'organ'
  | 'supersaw'
export type MonoInstrument =
  | 'sub-bass'
  | 'round-bass'
  | 'drive-bass'
  | 'soft-lead'
  | 'synth-lead'
  | 'whistle-lead'
export type DrumInstrument =
  | 'kick-soft'
  | 'kick-dusty'
  | 'kick-club'
  | 'snare-dusty'
  | 'snare-brush'
  | 'snare-big'
  | 'clap'
  | 'snap'
  | 'rim'
  | 'hat-closed'
  | 'hat-open'
  | 'hat-dusty'
  | 'ride'
  | 'shaker'
  | 'tambourine'
  | 'tom'
  | 'crash'
  | 'riser'
export type Instrument = StruckInstrument | LoopedInstrument | MonoInstrument | DrumInstrument

export type Mix = {
  /** For tones: loudness (LUFS) while playing; for drums: peak (dBFS). Both before mastering. */
  levelDb: number
  /** -1 left to 1 right. */
  pan: number
  /** Linear sends. */
  reverb: number
  delay: number
  /** How much the kick drum lowers the part's volume, 0 to 1. */
  duck: number
}

export type Part = Mix & {
  name: string
  instrument: Instrument
  notes: Note[]
  /** Low-pass cutoff over time; empty means open. */
  brightness: { beat: number; hz: number }[]
}

export type Production = {
  reverbSeconds: number
  reverbDampingHz: number
  delayBeats: number
  delayFeedback: number
  /** Tape simulation: drive, speed variation, and upper cutoff. */
  driveDb: number
  wowMilliseconds: number
  lowpassHz: number
  /** Boost above 3.2 kHz. */
  airDb: number
  /** Peak of the record crackle in dBFS; null for a clean recording. */
  crackleDb: number | null
  loudnessLufs: number
}

export type Composition = {
  seed: number
  mood: Mood
  durationSeconds: number
  tempo: number
  /** For display: 'D major'. */
  key: string
  tonic: number
  beatsPerBar: number
  stepsPerBeat: number
  sections: Section[]
  chords: Chord[]
  parts: Part[]
  production: Production
}
