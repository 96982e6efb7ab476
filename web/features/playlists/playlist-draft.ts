// A playlist being edited. Changes stay in the draft until they are saved together.
import type { CallInput } from '#contract/endpoint.ts'
import type { Playlist, updatePlaylist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { applyTrackChanges, type TrackChange } from '#contract/fields/track-changes.ts'
import { computeTrackChanges } from '#contract/fields/track-changes-between.ts'

export type DraftTrack = Pick<
  Track,
  'id' | 'title' | 'artist' | 'duration' | 'cover_url' | 'cover_tint' | 'cover_placeholder'
>

export interface PlaylistDraft {
  title: string
  description: string
  is_public: boolean
  /** Path of the uploaded picture that becomes the cover. Null while the cover is unchanged. */
  cover_path: string | null
  tracks: readonly DraftTrack[]
}

export function startDraft(playlist: Playlist, tracks: readonly DraftTrack[]): PlaylistDraft {
  const { title, description, is_public } = playlist
  return { title, description: description ?? '', is_public, cover_path: null, tracks }
}

export function addTrack(draft: PlaylistDraft, track: DraftTrack): PlaylistDraft {
  const isIn = draft.tracks.some((other) => other.id === track.id)
  return isIn ? draft : { ...draft, tracks: [...draft.tracks, track] }
}

export function removeTrack(draft: PlaylistDraft, id: string): PlaylistDraft {
  return { ...draft, tracks: draft.tracks.filter((track) => track.id !== id) }
}

/** Restores a removed track at its previous index, or at the nearest index in the current list. */
export function restoreTrack(
  draft: PlaylistDraft,
  track: DraftTrack,
  index: number,
): PlaylistDraft {
  const isIn = draft.tracks.some((other) => other.id === track.id)
  return isIn ? draft : { ...draft, tracks: draft.tracks.toSpliced(index, 0, track) }
}

export function moveTrack(draft: PlaylistDraft, from: number, to: number): PlaylistDraft {
  const track = draft.tracks[from]
  if (!track || from === to) return draft
  return { ...draft, tracks: draft.tracks.toSpliced(from, 1).toSpliced(to, 0, track) }
}

/** Returns the changes to save; null when there are none. */
export function draftChanges(
  saved: PlaylistDraft,
  draft: PlaylistDraft,
): CallInput<typeof updatePlaylist>['body'] | null {
  const changes = {
    ...(draft.title !== saved.title && { title: draft.title }),
    ...(draft.description !== saved.description && { description: draft.description || null }),
    ...(draft.is_public !== saved.is_public && { is_public: draft.is_public }),
    ...(draft.cover_path !== saved.cover_path && { cover_path: draft.cover_path }),
    ...(!sameOrder(saved.tracks, draft.tracks) && {
      track_changes: computeTrackChanges(saved.tracks.map(idOf), draft.tracks.map(idOf)),
    }),
  }
  return Object.keys(changes).length > 0 ? changes : null
}

/** A draft as stored on this device: the changes to the saved playlist, and the added tracks. */
export interface StoredEdit {
  words: Partial<Omit<PlaylistDraft, 'tracks'>>
  track_changes: TrackChange[]
  added: DraftTrack[]
}

export function toStoredEdit(saved: PlaylistDraft, draft: PlaylistDraft): StoredEdit {
  const { tracks, ...words } = draft
  const before = new Set(saved.tracks.map(idOf))
  const changed = Object.entries(words).filter(
    ([name, value]) => value !== saved[name as keyof typeof words],
  )
  return {
    words: Object.fromEntries(changed) as StoredEdit['words'],
    track_changes: computeTrackChanges(saved.tracks.map(idOf), tracks.map(idOf)),
    added: tracks.filter(({ id }) => !before.has(id)),
  }
}

export function restoreDraft(
  saved: PlaylistDraft,
  { words, track_changes, added }: StoredEdit,
): PlaylistDraft {
  return { ...saved, ...words, tracks: changeTracks(saved.tracks, track_changes, added) }
}

/** Applies the changes made between `from` and `draft` to `onto`. */
export function rebaseDraft(
  draft: PlaylistDraft,
  from: PlaylistDraft,
  onto: PlaylistDraft,
): PlaylistDraft {
  return restoreDraft(onto, toStoredEdit(from, draft))
}

function changeTracks(
  tracks: readonly DraftTrack[],
  changes: readonly TrackChange[],
  added: readonly DraftTrack[],
): DraftTrack[] {
  const known = new Map([...added, ...tracks].map((track) => [track.id, track]))
  return applyTrackChanges(tracks.map(idOf), changes).flatMap((id) => known.get(id) ?? [])
}

const idOf = ({ id }: DraftTrack) => id

function sameOrder(before: readonly DraftTrack[], after: readonly DraftTrack[]): boolean {
  if (before === after) return true
  return before.length === after.length && before.every((track, i) => track.id === after[i]?.id)
}
