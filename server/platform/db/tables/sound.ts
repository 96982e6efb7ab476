// Tables for data derived from recordings: renditions, measured sound, versions and similar tracks.
import type { Generated } from 'kysely'

interface Renditions {
  id: Generated<string>
  track_id: string
  kind: 'standard' | 'high' | 'preview'
  storage_key: string
  mime: string
  byte_size: number
  duration_seconds: number
  etag: string
  preview_length_seconds: number | null
  created_at: Generated<string>
}

interface TrackSounds {
  track_id: string
  version: number
  /** See encodeSoundVector. */
  vector: Buffer | null
  tempo: number | null
  tempo_confidence: Generated<number>
  /** Pitch class of the tonic, 0 for C. */
  key: number | null
  is_minor: Generated<boolean>
  loudness_range: number | null
  measured_at: Generated<string>
}

interface TrackFingerprints {
  track_id: string
  version: number
  seconds: number
  /** See encodeFingerprint. */
  fingerprint: Buffer | null
}

interface VersionDismissals {
  id: string
  track_id: string
  dismissed_at: Generated<string>
}

interface TrackVersions {
  track_id: string
  group_id: string
  linked_at: Generated<string>
}

interface TrackWords {
  track_id: string
  /** See encodeWords. */
  words: Buffer
}

interface TrackNeighbours {
  track_id: string
  neighbour_ids: string[]
  scores: number[]
  signals: number[]
  computed_at: Generated<string>
}

interface NeighbourUpdates {
  track_id: string
  changed_at: Generated<string>
}

interface DailyMixes {
  user_id: string
  day: string
  position: number
  title: string
  seed_ids: string[]
  track_ids: string[]
}

export interface SoundTables {
  renditions: Renditions
  track_sounds: TrackSounds
  track_fingerprints: TrackFingerprints
  version_dismissals: VersionDismissals
  track_versions: TrackVersions
  track_words: TrackWords
  track_neighbours: TrackNeighbours
  neighbour_updates: NeighbourUpdates
  daily_mixes: DailyMixes
}
