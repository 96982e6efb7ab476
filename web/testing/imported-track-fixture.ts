import type { ImportedTrack } from '#contract/admin/track-imports.ts'

export function makeImportedTrack(changes: Partial<ImportedTrack> = {}): ImportedTrack {
  return {
    id: '01a20306-0000-7000-8000-0000000000cc',
    title: 'Song',
    artist: 'Ada',
    category: null,
    categories: [],
    moods: [],
    genre: null,
    tags: [],
    explicit: false,
    ai_disclosure: 'ai_generated',
    duration: 100,
    loudness_lufs: null,
    true_peak_dbtp: null,
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    is_published: false,
    publish_when_ready: false,
    processing_status: 'ready',
    processing_progress: 1,
    processing_error: null,
    found_genre: null,
    release_at: null,
    release_zone: null,
    early_access_days: 0,
    audience: 'members',
    folder: null,
    ...changes,
  }
}
