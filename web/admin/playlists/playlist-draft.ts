// The tracks of a playlist while it is edited: nothing is sent until it is saved, all of it at once.
import type { AdminPlaylistDetail } from '#contract/admin-playlists.ts'

export type DraftTrack = AdminPlaylistDetail['playlist_tracks'][number]['track']

export interface DraftEntry {
  /** The server's, or one of our own while the track is new. */
  id: string
  track: DraftTrack
}

export interface PlaylistDraft {
  title: string
  description: string
  is_curated: boolean
  entries: readonly DraftEntry[]
}

export function draftOf(playlist: AdminPlaylistDetail): PlaylistDraft {
  const { title, description, is_curated, playlist_tracks } = playlist
  return {
    title,
    description: description ?? '',
    is_curated,
    entries: playlist_tracks
      .toSorted((a, b) => a.order_index - b.order_index)
      .map(({ id, track }) => ({ id, track })),
  }
}

export function isSameDraft(a: PlaylistDraft, b: PlaylistDraft): boolean {
  return Object.keys(draftChanges(a, b)).length === 0
}

/** What is sent: only what was changed, so that nothing that others changed meanwhile is undone. */
export function draftChanges(draft: PlaylistDraft, before: PlaylistDraft) {
  const { title, description, is_curated, entries } = draft
  return {
    ...(title !== before.title && { title }),
    ...(description !== before.description && { description: description.trim() || null }),
    ...(is_curated !== before.is_curated && { is_curated }),
    ...(!hasSameOrder(entries, before.entries) && {
      track_ids: entries.map(({ track }) => track.id),
    }),
  }
}

/** A track is in a playlist once. */
export function addToDraft(entries: readonly DraftEntry[], track: DraftTrack): DraftEntry[] {
  if (entries.some((entry) => entry.track.id === track.id)) return [...entries]
  return [...entries, { id: `new-${track.id}`, track }]
}

export function removeFromDraft(entries: readonly DraftEntry[], id: string): DraftEntry[] {
  return entries.filter((entry) => entry.id !== id)
}

export function moveInDraft(
  entries: readonly DraftEntry[],
  fromIndex: number,
  toIndex: number,
): DraftEntry[] {
  const moved = [...entries]
  moved.splice(toIndex, 0, ...moved.splice(fromIndex, 1))
  return moved
}

function hasSameOrder(a: readonly DraftEntry[], b: readonly DraftEntry[]): boolean {
  return a.length === b.length && a.every(({ track }, index) => track.id === b[index]?.track.id)
}
