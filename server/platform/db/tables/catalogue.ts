// Tables for tracks, artists, releases and their metadata.
import type { Generated, JSONColumnType } from 'kysely'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { ArtistLink, CreditRole } from '#contract/fields/artist-credits.ts'
import type { EvidenceMime } from '#contract/fields/evidence.ts'
import type { OriginParts } from '#contract/fields/origin-parts.ts'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import type { Available, Versioned } from './shared-columns.ts'

interface Images {
  id: Generated<string>
  kind: 'cover' | 'avatar'
  tint: string
  placeholder: string
  width: number
  height: number
  created_at: Generated<string>
}

interface CategoryMetadata extends Versioned {
  id: Generated<string>
  category: string
  display_name: string
  description: string | null
  cover_id: string | null
  is_visible: Generated<boolean>
  sort_order: Generated<number>
  created_at: Generated<string>
}

interface Genres {
  id: Generated<string>
  name: string
}

interface Tracks extends Versioned, Available {
  id: Generated<string>
  /** The creator that the track belongs to. Null if it belongs to the service. */
  owner_id: Generated<string | null>
  title: string
  artist: string
  /** The first category of the track. */
  category: string | null
  /** The other categories of the track, in order. */
  more_categories: Generated<string[]>
  moods: Generated<string[]>
  genre: string | null
  description: string | null
  lyrics: string | null
  tags: Generated<string[]>
  explicit: Generated<boolean>
  cover_id: string | null
  is_published: Generated<boolean>
  publish_when_ready: Generated<boolean>
  duration: Generated<number>
  ai_disclosure: Generated<AiDisclosure>
  ai_tool: string | null
  credits: string | null
  loudness_lufs: number | null
  true_peak_dbtp: number | null
  peaks: Buffer | null
  processing_status: Generated<'pending' | 'processing' | 'ready' | 'failed'>
  processing_progress: Generated<number>
  processing_error: string | null
  source_key: string | null
  source_mime: string | null
  source_bytes: number | null
  source_sha256: string | null
  import_batch: string | null
  found_genre: string | null
  /**
   * When the track was deleted. It is then hidden everywhere. The row is removed when the deletion can no longer be
   * undone.
   */
  deleted_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly search_folded: Generated<string>
}

/** Every category of each track. Triggers on `tracks` maintain the rows. */
interface TrackCategories {
  track_id: string
  category: string
  is_published: boolean
  track_created_at: string
}

interface TrackEvidence {
  id: Generated<string>
  track_id: string
  storage_key: string
  filename: string
  mime: EvidenceMime
  byte_size: number
  sha256: string
  created_by: string | null
  created_at: Generated<string>
}

export type DeletedEntity = 'track' | 'playlist' | 'category' | 'genre' | 'release'

interface Deletions {
  id: Generated<string>
  entity: DeletedEntity
  entity_id: string
  owner_id: string | null
  cover_id: string | null
  kept: unknown
  deleted_at: Generated<string>
  undo_until: string
  purged_at: string | null
}

interface Artists extends Versioned {
  id: Generated<string>
  /** The creator that the artist belongs to. Null if it belongs to the service. */
  owner_id: Generated<string | null>
  name: string
  slug: string
  sort_name: string | null
  biography: string | null
  picture_id: string | null
  links: JSONColumnType<ArtistLink[], string | undefined, string>
  has_page: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly search_folded: Generated<string>
}

/** Former names. A trigger adds a row when an artist is renamed. */
interface ArtistAliases {
  name: string
  artist_id: string
}

/** Former slugs of artists. A trigger adds a row when the slug changes. */
interface ArtistSlugs {
  slug: string
  artist_id: string
}

/** Artists that were merged into another artist, with the id of that artist. */
interface ArtistMerges {
  id: string
  artist_id: string
}

interface Reviews {
  id: Generated<string>
  kind: 'track' | 'release'
  item_id: string
  title: string
  owner_id: string
  note: Generated<string>
  state: Generated<'waiting' | 'published' | 'returned' | 'withdrawn'>
  answer: Generated<string>
  submitted_at: Generated<string>
  decided_at: string | null
  decided_by: string | null
  seen_at: string | null
}

interface TrackCredits {
  track_id: string
  position: number
  artist_id: string
  role: CreditRole
  credited_as: string | null
  joiner: Generated<string>
}

interface ArtistUndos {
  id: Generated<string>
  action: 'merge' | 'split' | 'delete'
  artist_id: string
  kept: unknown
  created_at: Generated<string>
  undo_until: string
}

interface Releases extends Versioned, Available {
  id: Generated<string>
  /** The creator that the release belongs to. Null if it belongs to the service. */
  owner_id: Generated<string | null>
  kind: ReleaseKind
  title: string
  slug: string
  /** The artist line, which triggers build from the credits. */
  artist: Generated<string>
  cover_id: string | null
  description: string | null
  release_date: string | null
  label: string | null
  upc: string | null
  is_published: Generated<boolean>
  /** When the release was deleted, as in `tracks`. */
  deleted_at: string | null
  tracks_changed_at: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly released_on: Generated<string>
  readonly search_folded: Generated<string>
}

/** Former slugs of releases. */
interface ReleaseSlugs {
  slug: string
  release_id: string
}

interface ReleaseCredits {
  release_id: string
  position: number
  artist_id: string
  joiner: Generated<string>
}

interface ReleaseTracks {
  release_id: string
  track_id: string
  disc: Generated<number>
  position: number
}

interface TrackFileTags {
  track_id: string
  album: string | null
  album_artist: string | null
  disc: number | null
  track_number: number | null
  year: number | null
  folder: string | null
  label: string | null
  dismissed_at: string | null
}

/** How a track was made. Visible to admins only. */
interface TrackOrigins extends Versioned {
  track_id: string
  tool: string | null
  model: string | null
  plan_at_creation: string | null
  created_at_source: string | null
  source_id: string | null
  source_url: string | null
  prompt: string | null
  style: string | null
  negative_style: string | null
  seed: string | null
  parts: JSONColumnType<OriginParts, string | undefined, string>
  rights_note: string | null
  updated_at: Generated<string>
}

export interface CatalogueTables {
  images: Images
  category_metadata: CategoryMetadata
  genres: Genres
  tracks: Tracks
  readonly track_categories: TrackCategories
  track_evidence: TrackEvidence
  deletions: Deletions
  artists: Artists
  artist_aliases: ArtistAliases
  artist_slugs: ArtistSlugs
  artist_merges: ArtistMerges
  track_credits: TrackCredits
  artist_undos: ArtistUndos
  releases: Releases
  release_slugs: ReleaseSlugs
  release_credits: ReleaseCredits
  release_tracks: ReleaseTracks
  track_file_tags: TrackFileTags
  track_origins: TrackOrigins
  reviews: Reviews
}
