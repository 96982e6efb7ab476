// Proposes releases. Groups imported tracks that are on no release by the album in their tags or, if there is none, by
// their folder.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { maxReleaseTracks } from '#contract/releases.ts'
import { maxProposals, type ReleaseProposal } from '#contract/admin/admin-releases.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import { deriveReleaseKind } from './insert-release.ts'

interface ImportedTrack {
  track_id: string
  owner_id: string | null
  title: string
  artist: string
  import_batch: string | null
  album: string | null
  album_artist: string | null
  disc: number | null
  track_number: number | null
  year: number | null
  folder: string | null
  label: string | null
  cover_url: string | null
  cover_tint: string | null
  cover_placeholder: string | null
}

/** The number of a track without a track number, which sorts after all numbered tracks. */
const unnumbered = 10_000
/**
 * Maximum number of tracks, more than a year of uploads. Older tracks are proposed once proposals of these are
 * confirmed or dismissed.
 */
const maxTracksRead = 5000

/** Returns proposals that this person may see, newest first. `batch` limits them to one import batch. */
export async function findProposals(
  handle: Handle,
  actor: Pick<Actor, 'role' | 'user_id'>,
  batch?: string,
): Promise<ReleaseProposal[]> {
  const tracks = await readImportedTracks(handle, actor, batch)
  const [byAlbum, rest] = groupTracks(tracks, getAlbumKey)
  const [byFolder] = groupTracks(rest, getFolderKey)
  return [
    ...byAlbum.map(([name, members]) => createProposal(members, 'album', name)),
    ...byFolder.map(([name, members]) => createProposal(members, 'folder', name)),
  ].slice(0, maxProposals)
}

async function readImportedTracks(
  handle: Handle,
  actor: Pick<Actor, 'role' | 'user_id'>,
  batch: string | undefined,
): Promise<ImportedTrack[]> {
  return handle.query
    .selectFrom('track_file_tags as f')
    .innerJoin('tracks as t', 't.id', 'f.track_id')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      'f.track_id',
      't.owner_id',
      't.title',
      't.artist',
      't.import_batch',
      'f.album',
      'f.album_artist',
      'f.disc',
      'f.track_number',
      'f.year',
      'f.folder',
      'f.label',
      sql<string | null>`'/media/covers/' || cover.id || '/384.webp'`.as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
    ])
    .where('t.deleted_at', 'is', null)
    .where('f.dismissed_at', 'is', null)
    .where(visibleToStaff(actor, 't.owner_id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('release_tracks as e')
            .innerJoin('releases as r', 'r.id', 'e.release_id')
            .select('e.track_id')
            .whereRef('e.track_id', '=', 't.id')
            .where('r.deleted_at', 'is', null),
        ),
      ),
    )
    .$if(batch !== undefined, (query) => query.where('t.import_batch', '=', batch ?? null))
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(maxTracksRead)
    .execute()
}

/**
 * The key of a track's album. It does not contain the batch, because tracks of one album may be uploaded in several
 * batches.
 */
function getAlbumKey({ owner_id, album, album_artist }: ImportedTrack): string | null {
  return album && createGroupKey(owner_id, album, album_artist)
}

/**
 * Combines owner and names to a key. The owner is part of it, so that a creator's track never joins someone else's
 * release.
 */
function createGroupKey(owner_id: string | null, ...names: (string | null)[]): string {
  return [owner_id, ...names].map((name) => name?.toLowerCase() ?? '').join('\0')
}

/** Matches generic folder names that tools and people use for unrelated songs. */
const collectionName =
  /^(?:root directory|my workspace|(?:suno|udio)?[ _-]*(?:ai|sync|downloads?|exports?|library|songs|music|backup))$/i

/**
 * The key of a track's folder. It contains the batch, because folders of different batches often have the same name. A
 * folder named after a month contains that month's work, not a release.
 */
function getFolderKey({ owner_id, folder, import_batch }: ImportedTrack): string | null {
  const isMonth = folder !== null && /^\d{4}[-_. ]?\d{2}$/.test(folder)
  const isCollection = folder !== null && collectionName.test(folder)
  return folder && !isMonth && !isCollection ? createGroupKey(owner_id, import_batch, folder) : null
}

/**
 * Groups tracks by `nameOf`. Returns groups of at least two tracks, and the remaining tracks. A track whose name is
 * null is not proposed.
 */
function groupTracks(
  tracks: readonly ImportedTrack[],
  nameOf: (track: ImportedTrack) => string | null,
): [groups: [name: string, members: ImportedTrack[]][], rest: ImportedTrack[]] {
  const groups = Map.groupBy(tracks, nameOf)
  const isGroup = (name: string | null): name is string => {
    const { length } = groups.get(name) ?? []
    return name !== null && length > 1 && length <= maxReleaseTracks
  }
  return [
    [...groups].flatMap(([name, members]) => (isGroup(name) ? [[name, members]] : [])),
    tracks.filter((track) => !isGroup(nameOf(track))),
  ]
}

function createProposal(
  members: readonly ImportedTrack[],
  source: 'album' | 'folder',
  name: string,
): ReleaseProposal {
  // Tracks are read newest first, and files of a folder are uploaded in order of their names. Reverse them to restore
  // that order.
  const tracks = members
    .toReversed()
    .toSorted(
      (one, other) =>
        (one.disc ?? 1) - (other.disc ?? 1) ||
        (one.track_number ?? unnumbered) - (other.track_number ?? unnumbered),
    )
  const first = tracks[0]!
  const artists = new Set(tracks.map(({ artist }) => artist))
  const isMixed = artists.size > 1 && first.album_artist === null
  const years = tracks.flatMap(({ year }) => year ?? [])
  const cover = tracks.find(({ cover_url }) => cover_url !== null) ?? first
  return {
    key: createHash('sha256').update(`${source}\0${name}`).digest('hex'),
    title: (source === 'album' ? first.album : first.folder) ?? '',
    artist: first.album_artist ?? (isMixed ? 'Various Artists' : first.artist),
    kind: isMixed ? 'compilation' : deriveReleaseKind(tracks.length),
    year: years.length > 0 ? Math.max(...years) : null,
    label: tracks.find(({ label }) => label !== null)?.label ?? null,
    source,
    tracks: toProposalTracks(tracks),
    cover_url: cover.cover_url,
    cover_tint: cover.cover_tint,
    cover_placeholder: cover.cover_placeholder,
  }
}

function toProposalTracks(tracks: readonly ImportedTrack[]): ReleaseProposal['tracks'] {
  const counts = new Map<number, number>()
  return tracks.map(({ track_id, title, disc: tagged }) => {
    const disc = tagged ?? 1
    const position = (counts.get(disc) ?? 0) + 1
    counts.set(disc, position)
    return { track_id, title, disc, position }
  })
}
