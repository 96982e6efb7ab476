// Tables for playlists, likes, plays and players.
import type { Generated, JSONColumnType } from 'kysely'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import type { PlayContext } from '#contract/play-context.ts'
import type { Available, Versioned } from './shared-columns.ts'

interface ReleaseLikes {
  user_id: string
  release_id: string
  created_at: Generated<string>
}

interface Playlists extends Versioned, Available {
  id: Generated<string>
  title: string
  description: string | null
  cover_id: string | null
  is_public: Generated<boolean>
  is_curated: Generated<boolean>
  is_visible: Generated<boolean>
  created_by: string | null
  /** The rules of a smart playlist. Null for other playlists. */
  rules: JSONColumnType<SmartRules> | null
  readonly search_folded: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface PlaylistTracks {
  id: Generated<string>
  playlist_id: string
  track_id: string
  order_index: number
  /** The person who added the track. Null if it was the owner. */
  added_by: Generated<string | null>
  created_at: Generated<string>
}

interface PlaylistMembers {
  playlist_id: string
  user_id: string
  role: 'editor' | 'viewer'
  joined_at: Generated<string>
}

interface PlaylistInvitations {
  playlist_id: string
  role: 'editor' | 'viewer'
  token_hash: string
  created_at: Generated<string>
  expires_at: string
}

interface PlaylistChanges {
  readonly number: Generated<string>
  playlist_id: string
  user_id: string
  operation_id: string
  inverse: JSONColumnType<object> | null
  undone_at: string | null
  created_at: Generated<string>
}

/** Number, length and covers of the tracks in a playlist that members can see. Triggers maintain the rows. */
interface PlaylistSummaries {
  playlist_id: string
  track_count: Generated<number>
  duration: Generated<number>
  cover_ids: Generated<string[]>
  tracks_changed_at: Generated<string>
}

interface Likes {
  user_id: string
  track_id: string
  /** Creation time of the track, copied by a trigger. */
  track_created_at: Generated<string>
  created_at: Generated<string>
}

interface Plays {
  id: string
  user_id: string
  track_id: string
  is_preview: boolean
  started_at: string
  reported_at: string
  heard_seconds: Generated<number>
  position_seconds: Generated<number>
  duration_seconds: number
  completed: Generated<boolean>
  counted_at: string | null
  ended_at: string | null
}

interface TrackDeliveries {
  user_id: string
  track_id: string
  is_preview: boolean
  share: Generated<number>
  kept_on: string | null
}

interface Players {
  user_id: string
  player_id: string
  device_id: string | null
  started_at: string
  seen_at: string
  displaced_at: string | null
}

/** Ratings of tracks, releases and artists, set in Subsonic apps. */
interface AppRatings {
  user_id: string
  item_id: string
  rating: number
}

interface ArtistLikes {
  user_id: string
  artist_id: string
  created_at: Generated<string>
}

interface AppQueues {
  user_id: string
  track_ids: string[]
  current_index: number
  position_ms: number
  changed_by: string
  changed_at: Generated<string>
}

interface ListeningContexts {
  user_id: string
  kind: PlayContext['kind']
  ref: string
  track_id: string
  played_at: string
}

export interface ListeningTables {
  playlists: Playlists
  playlist_tracks: PlaylistTracks
  playlist_members: PlaylistMembers
  playlist_invitations: PlaylistInvitations
  playlist_changes: PlaylistChanges
  playlist_summaries: PlaylistSummaries
  likes: Likes
  release_likes: ReleaseLikes
  artist_likes: ArtistLikes
  app_ratings: AppRatings
  plays: Plays
  track_deliveries: TrackDeliveries
  players: Players
  listening_contexts: ListeningContexts
  app_queues: AppQueues
}
