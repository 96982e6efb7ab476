// The state of a release in its editor. Changes are sent only when the release is saved.
import type { AdminReleaseDetail, AdminReleaseTrack } from '#contract/admin/admin-releases.ts'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import {
  toAvailabilityBody,
  toAvailabilityForm,
  type AvailabilityForm,
} from '../availability/availability-form.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import type { ListItem } from '../track-order/list-items.ts'

export type DraftTrack = Omit<AdminReleaseTrack, 'disc' | 'position'>

/** A track, or a break: an item without a track, at which the next disc starts. */
export type DraftItem = ListItem<DraftTrack>

export interface ReleaseDraft {
  title: string
  slug: string
  kind: ReleaseKind
  /** The artist line: each name, and the joiner between it and the next one, such as a comma or `&`. */
  artists: readonly { name: string; joiner: string }[]
  description: string
  release_date: string
  label: string
  upc: string
  availability: AvailabilityForm
  items: readonly DraftItem[]
}

function toDraft(release: AdminReleaseDetail): ReleaseDraft {
  const { title, slug, kind, artists, description, release_date, label, upc } = release
  return {
    title,
    slug,
    kind,
    artists: artists.map(({ name, joiner }) => ({ name, joiner })),
    description: description ?? '',
    release_date: release_date ?? '',
    label: label ?? '',
    upc: upc ?? '',
    availability: toAvailabilityForm(release),
    items: toDraftItems(release.tracks),
  }
}

/** Converts tracks with disc numbers to one list, with a break before every disc except the first. */
export function toDraftItems(tracks: readonly AdminReleaseTrack[]): DraftItem[] {
  let disc = tracks[0]?.disc
  return tracks.flatMap((track): DraftItem[] => {
    const isNew = track.disc !== disc
    disc = track.disc
    const item: DraftItem = { id: track.id, track }
    return isNew ? [{ id: `disc-${track.disc}`, track: null }, item] : [item]
  })
}

/** Returns the tracks with their disc numbers, starting at 1. Discs without tracks are omitted. */
export function toReleaseTracks(items: readonly DraftItem[]): { track_id: string; disc: number }[] {
  let disc = 1
  let isEmpty = true
  return items.flatMap(({ track }) => {
    if (track === null) {
      if (!isEmpty) disc += 1
      isEmpty = true
      return []
    }
    isEmpty = false
    return [{ track_id: track.id, disc }]
  })
}

export const releaseForm: VersionedFormKind<AdminReleaseDetail, ReleaseDraft> = {
  what: 'this release',
  formOf: toDraft,
  labels: {
    title: 'Title',
    slug: 'Address',
    kind: 'Kind',
    artists: 'Artists',
    description: 'Description',
    release_date: 'Release date',
    label: 'Label',
    upc: 'UPC or EAN',
    availability: 'Availability',
    items: 'Tracks',
  },
  isSame: isSameDraft,
}

function isSameDraft(a: ReleaseDraft, b: ReleaseDraft): boolean {
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b))
}

function comparable({ items, ...fields }: ReleaseDraft) {
  return { ...fields, tracks: toReleaseTracks(items) }
}

/** Returns the request body with changed fields only, so that fields changed by another admin are not overwritten. */
export function draftChanges(draft: ReleaseDraft, before: ReleaseDraft, isPublished: boolean) {
  const { title, slug, kind, artists, description, release_date, label, upc } = draft
  const [tracks, tracksBefore] = [toReleaseTracks(draft.items), toReleaseTracks(before.items)]
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  return {
    ...(title !== before.title && { title }),
    ...(slug !== before.slug && { slug }),
    ...(kind !== before.kind && { kind }),
    ...(differ(artists, before.artists) && { artists: [...artists] }),
    ...(description !== before.description && { description: description.trim() || null }),
    ...(release_date !== before.release_date && { release_date: release_date || null }),
    ...(label !== before.label && { label: label.trim() || null }),
    ...(upc !== before.upc && { upc: upc.trim() || null }),
    ...toAvailabilityBody(
      { form: draft.availability, isPublished },
      { form: before.availability, isPublished },
    ),
    ...(differ(tracks, tracksBefore) && { tracks }),
  }
}

/** Appends a track, unless the release already contains it. */
export function addToDraft(items: readonly DraftItem[], track: DraftTrack): DraftItem[] {
  if (items.some((item) => item.track?.id === track.id)) return [...items]
  return [...items, { id: track.id, track }]
}

export function addDisc(items: readonly DraftItem[]): DraftItem[] {
  return [...items, { id: `disc-${crypto.randomUUID()}`, track: null }]
}
