// Unsaved changes in the grid of uploaded tracks: for each track, the fields that differ from the server's values.
import { bulkMaxTracks, type updateAdminTracks } from '#contract/admin/admin-tracks.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { maxCategories, maxMoods } from '#contract/tracks.ts'
import { categoriesOf } from '../../features/catalogue/track-categories.ts'

type Change = CallInput<typeof updateAdminTracks>['body']['changes'][number]

/** The fields that the grid can change. */
export interface TrackValues {
  title: string
  artist: string
  /** Slugs of the categories. The first one is the `category` of the specification. */
  categories: string[]
  moods: string[]
  genre: string | null
  tags: string[]
  explicit: boolean
  ai_disclosure: ImportedTrack['ai_disclosure']
  is_published: boolean
  release_at: string | null
  release_zone: string | null
  early_access_days: number
  audience: ImportedTrack['audience']
}

export type Draft = ReadonlyMap<string, Partial<TrackValues>>

/** Maximum length of one request. With the longest titles, artists and tags it is still below the server's limit. */
const maxCharacters = 400_000
const maxNameLength = 200
const maxTags = 30

/** Returns the values that the server has. A track that will be published after processing counts as published. */
function savedValues(track: ImportedTrack): TrackValues {
  const { title, artist, genre, tags, explicit, ai_disclosure } = track
  const { release_at, release_zone, early_access_days, audience } = track
  const [categories, moods] = [[...categoriesOf(track)], track.moods ?? []]
  const is_published = track.is_published || track.publish_when_ready
  return {
    title,
    artist,
    categories,
    moods,
    genre,
    tags,
    explicit,
    ai_disclosure,
    is_published,
    release_at,
    release_zone,
    early_access_days,
    audience,
  }
}

/** Returns the values to show: those of the draft, otherwise those of the server. */
export function getRowValues(track: ImportedTrack, draft: Draft): TrackValues {
  return { ...savedValues(track), ...draft.get(track.id) }
}

/** Sets fields of the given tracks. A value that equals the server's is removed from the draft. */
export function setFields(
  draft: Draft,
  tracks: readonly ImportedTrack[],
  changesOf: (values: TrackValues, track: ImportedTrack) => Partial<TrackValues>,
): Draft {
  const next = new Map(draft)
  for (const track of tracks) {
    const saved = savedValues(track)
    const changes = { ...draft.get(track.id), ...changesOf(getRowValues(track, draft), track) }
    const different = Object.entries(changes).filter(
      ([field, value]) => !isSame(value, saved[field as keyof TrackValues]),
    )
    if (different.length === 0) next.delete(track.id)
    else next.set(track.id, Object.fromEntries(different) as Partial<TrackValues>)
  }
  return next
}

/** Adds a tag, unless the track already has it or the maximum number of tags. */
export function withTag({ tags }: TrackValues, tag: string): Partial<TrackValues> {
  const hasAlready = tags.some((other) => other.toLowerCase() === tag.toLowerCase())
  return hasAlready || tags.length >= maxTags ? {} : { tags: [...tags, tag] }
}

export function withMood({ moods }: TrackValues, mood: string): Partial<TrackValues> {
  const hasAlready = moods.some((other) => other.toLowerCase() === mood.toLowerCase())
  return hasAlready || moods.length >= maxMoods ? {} : { moods: [...moods, mood] }
}

/** Returns the categories with a new first one. Null removes all categories. */
export function withFirstCategory(
  { categories }: TrackValues,
  first: string | null,
): Partial<TrackValues> {
  const others = categories.slice(1).filter((name) => name !== first)
  return { categories: first === null ? [] : [first, ...others] }
}

export function withCategory({ categories }: TrackValues, added: string): Partial<TrackValues> {
  const isFull = categories.includes(added) || categories.length >= maxCategories
  return isFull ? {} : { categories: [...categories, added] }
}

/** Returns the validation errors of a track, by field. */
export function findRowProblems(values: TrackValues): { title?: string; artist?: string } {
  return {
    ...(values.title.trim() === '' && { title: 'Title is required' }),
    ...(values.artist.trim() === '' && { artist: 'Artist is required' }),
  }
}

/** Splits the draft into as few requests as the server's limits allow. */
export function splitIntoRequests(draft: Draft): Change[][] {
  const requests: Change[][] = []
  let length = Infinity
  for (const [id, fields] of draft) {
    const { categories } = fields
    const change: Change = {
      id,
      ...fields,
      ...trimmed(fields),
      // A server of the previous version reads only the first category.
      ...(categories && { category: categories[0] ?? null }),
    }
    const ownLength = JSON.stringify(change).length
    const last = requests.at(-1)
    if (!last || last.length >= bulkMaxTracks || length + ownLength > maxCharacters) {
      requests.push([change])
      length = ownLength
    } else {
      last.push(change)
      length += ownLength
    }
  }
  return requests
}

/** Removes what was saved from the draft. Fields that were changed again meanwhile stay. */
export function removeSavedChanges(draft: Draft, saved: Draft): Draft {
  return new Map([...draft].filter(([id, fields]) => saved.get(id) !== fields))
}

/** Returns genres found in the tags of the files, each with its tracks that have no genre yet. */
export function collectFoundGenres(
  tracks: readonly ImportedTrack[],
  draft: Draft,
  known: readonly string[],
): { name: string; tracks: ImportedTrack[] }[] {
  const groups = new Map<string, { name: string; tracks: ImportedTrack[] }>()
  for (const track of tracks) {
    const name = track.found_genre
    if (!name || getRowValues(track, draft).genre !== null) continue
    const key = name.toLowerCase()
    // Use the library's spelling if someone has added the genre in the meantime.
    const libraryName = known.find((other) => other.toLowerCase() === key)
    const group = groups.get(key) ?? { name: libraryName ?? name, tracks: [] }
    group.tracks.push(track)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => b.tracks.length - a.tracks.length)
}

function trimmed({ title, artist }: Partial<TrackValues>): Partial<TrackValues> {
  return {
    ...(title !== undefined && { title: title.trim().slice(0, maxNameLength) }),
    ...(artist !== undefined && { artist: artist.trim().slice(0, maxNameLength) }),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
