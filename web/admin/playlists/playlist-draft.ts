// The state of a curated playlist in its editor. Changes are sent only when the playlist is saved.
import type { AdminPlaylistDetail } from '#contract/admin/admin-playlists.ts'
import { applyTrackChanges } from '#contract/fields/track-changes.ts'
import { computeTrackChanges } from '#contract/fields/track-changes-between.ts'
import {
  toAvailabilityBody,
  toAvailabilityForm,
  type AvailabilityForm,
} from '../availability/availability-form.ts'
import { isSame } from '../conflicts/merge-forms.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'

export type DraftTrack = AdminPlaylistDetail['playlist_tracks'][number]['track']

export interface DraftEntry {
  /** The entry's id on the server, or a local id if the track is not saved yet. */
  id: string
  track: DraftTrack
}

export interface PlaylistDraft {
  title: string
  description: string
  is_curated: boolean
  availability: AvailabilityForm
  entries: readonly DraftEntry[]
}

function toDraft(playlist: AdminPlaylistDetail): PlaylistDraft {
  const { title, description, is_curated, playlist_tracks } = playlist
  return {
    title,
    description: description ?? '',
    is_curated,
    availability: toAvailabilityForm(playlist),
    entries: playlist_tracks
      .toSorted((a, b) => a.order_index - b.order_index)
      .map(({ id, track }) => ({ id, track })),
  }
}

export function isSameDraft(a: PlaylistDraft, b: PlaylistDraft): boolean {
  return (
    a.title === b.title &&
    a.description === b.description &&
    a.is_curated === b.is_curated &&
    isSame(a.availability, b.availability) &&
    hasSameOrder(a.entries, b.entries)
  )
}

export const playlistForm: VersionedFormKind<AdminPlaylistDetail, PlaylistDraft> = {
  what: 'this playlist',
  formOf: toDraft,
  labels: {
    title: 'Title',
    description: 'Description',
    is_curated: 'Curated',
    availability: 'Availability',
    entries: 'Tracks',
  },
  mergers: { entries: mergeEntries },
  isSame: isSameDraft,
}

/** Merges the user's changes to the track list with those that another admin saved in the meantime. */
function mergeEntries(
  base: readonly DraftEntry[],
  mine: readonly DraftEntry[],
  theirs: readonly DraftEntry[],
): readonly DraftEntry[] {
  const entries = new Map([...mine, ...theirs].map((entry) => [idOf(entry), entry]))
  const changes = computeTrackChanges(base.map(idOf), mine.map(idOf))
  return applyTrackChanges(theirs.map(idOf), changes).map((id) => entries.get(id)!)
}

/** Returns the request body with changed fields only, so that fields changed by another admin are not overwritten. */
export function draftChanges(draft: PlaylistDraft, before: PlaylistDraft, isVisible: boolean) {
  const { title, description, is_curated, entries } = draft
  return {
    ...(title !== before.title && { title }),
    ...(description !== before.description && { description: description.trim() || null }),
    ...(is_curated !== before.is_curated && { is_curated }),
    ...toAvailabilityBody(
      { form: draft.availability, isPublished: isVisible },
      { form: before.availability, isPublished: isVisible },
    ),
    ...(!hasSameOrder(entries, before.entries) && {
      track_changes: computeTrackChanges(before.entries.map(idOf), entries.map(idOf)),
    }),
  }
}

/** Appends a track, unless the playlist already contains it. */
export function addToDraft(entries: readonly DraftEntry[], track: DraftTrack): DraftEntry[] {
  if (entries.some((entry) => entry.track.id === track.id)) return [...entries]
  return [...entries, { id: `new-${track.id}`, track }]
}

const idOf = ({ track }: DraftEntry) => track.id

function hasSameOrder(a: readonly DraftEntry[], b: readonly DraftEntry[]): boolean {
  if (a === b) return true
  return a.length === b.length && a.every(({ track }, index) => track.id === b[index]?.track.id)
}
