// The tracks of a playlist while it is edited: nothing is sent until it is saved, all of it at once.
import type { AdminPlaylistDetail } from '#contract/admin-playlists.ts'

export type DraftTrack = AdminPlaylistDetail['playlist_tracks'][number]['track']

export interface DraftEntry {
  /** The server's, or one of our own while the track is new. */
  id: string
  track: DraftTrack
}

export function draftOf({ playlist_tracks }: AdminPlaylistDetail): DraftEntry[] {
  return playlist_tracks
    .toSorted((a, b) => a.order_index - b.order_index)
    .map(({ id, track }) => ({ id, track }))
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

export function hasSameOrder(a: readonly DraftEntry[], b: readonly DraftEntry[]): boolean {
  return a.length === b.length && a.every(({ track }, index) => track.id === b[index]?.track.id)
}
