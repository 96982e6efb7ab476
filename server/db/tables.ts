// The tables as Kysely sees them: one interface per table, columns spelled as in SQL and on the wire.
// Times arrive as ISO 8601 strings with Z; the database handle sets the parsers.
import type { Generated, Selectable } from 'kysely'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { AiDisclosure } from '#contract/ai-disclosure.ts'

interface Images {
  id: Generated<string>
  kind: 'cover' | 'avatar'
  tint: string
  placeholder: string
  width: number
  height: number
  created_at: Generated<string>
}

interface Profiles {
  id: Generated<string>
  email: string
  email_verified: Generated<boolean>
  display_name: Generated<string>
  avatar_url: string | null
  avatar_id: string | null
  two_factor_enabled: Generated<boolean>
  subscription_tier: Generated<Tier>
  subscription_status: Generated<SubscriptionStatus>
  subscription_ends_at: string | null
  banned_at: string | null
  deletion_requested_at: string | null
  is_demo: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface UserRoles {
  user_id: string
  role: Generated<'admin' | 'editor' | 'creator' | 'member'>
}

interface Sessions {
  id: Generated<string>
  user_id: string
  token: string
  expires_at: string
  ip_address: string | null
  user_agent: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface Accounts {
  id: Generated<string>
  user_id: string
  account_id: string
  provider_id: string
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  password: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface Verifications {
  id: Generated<string>
  identifier: string
  value: string
  expires_at: string
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface TwoFactors {
  id: Generated<string>
  user_id: string
  secret: string
  backup_codes: string
  verified: Generated<boolean>
  failed_verification_count: Generated<number>
  locked_until: string | null
}

interface RateLimits {
  key: string
  count: number
  resets_at: string
}

interface CategoryMetadata {
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

interface Tracks {
  id: Generated<string>
  title: string
  artist: string
  category: string | null
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
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly search_text: Generated<string>
}

interface Renditions {
  id: Generated<string>
  track_id: string
  kind: 'standard' | 'high' | 'preview'
  storage_key: string
  mime: string
  byte_size: number
  duration_seconds: number
  etag: string
  preview_length_seconds: number | null
  created_at: Generated<string>
}

interface Playlists {
  id: Generated<string>
  title: string
  description: string | null
  cover_id: string | null
  is_public: Generated<boolean>
  is_curated: Generated<boolean>
  is_visible: Generated<boolean>
  created_by: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface PlaylistTracks {
  id: Generated<string>
  playlist_id: string
  track_id: string
  order_index: number
  created_at: Generated<string>
}

interface Likes {
  user_id: string
  track_id: string
  /** Of the track, filled by the database. */
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
}

interface Players {
  user_id: string
  player_id: string
  started_at: string
  seen_at: string
  displaced_at: string | null
}

interface Subscriptions {
  user_id: string
  payment_method: 'cash' | 'check' | 'cashapp' | 'zelle' | 'other' | 'stripe' | null
  is_manual: Generated<boolean>
  starts_at: string | null
  notes: string | null
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  grace_until: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface StripeSubscriptions {
  id: string
  user_id: string | null
  customer_id: string | null
  status: string | null
  tier: 'monthly' | 'yearly' | 'premium' | null
  started_at: string | null
  ends_at: string | null
  cancels: Generated<boolean>
  event_at: string | null
  event_rank: Generated<number>
  event_is_simulated: Generated<boolean>
  let_go: Generated<boolean>
  created_at: Generated<string>
}

interface StripeRefunds {
  id: string
  is_simulated: Generated<boolean>
  charge_id: string
  customer_id: string | null
  invoice_id: string | null
  charge_cents: number | null
  charged_at: string | null
  refunded_cents: number
  is_failed: Generated<boolean>
  is_dispute: Generated<boolean>
  event_at: string
}

interface StripeClosures {
  customer_id: string
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
}

interface BillingEvents {
  id: Generated<string>
  event_id: string
  is_simulated: Generated<boolean>
  type: string
  subscription_id: string | null
  user_id: string | null
  outcome: 'applied' | 'outdated' | 'ignored'
  occurred_at: string
  received_at: Generated<string>
}

interface Payments {
  id: Generated<string>
  user_id: string | null
  kind: Generated<'payment' | 'refund' | 'correction'>
  amount_cents: number
  currency: string
  payment_method: 'cash' | 'check' | 'cashapp' | 'zelle' | 'other' | 'stripe'
  tier: Tier | null
  stripe_invoice_id: string | null
  stripe_customer_id: string | null
  stripe_charge_id: string | null
  is_simulated: Generated<boolean>
  covers_from: string | null
  covers_to: string | null
  readonly monthly_cents: Generated<number | null>
  paid_at: string
  created_at: Generated<string>
}

interface InsightDays {
  day: string
  starts: Generated<number>
  plays: Generated<number>
  previews: Generated<number>
  completed: Generated<number>
  heard_seconds: Generated<number>
  listeners: Generated<number>
  listeners_7d: Generated<number>
  sign_ups: Generated<number>
}

interface TrackDays {
  day: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  left_at: number[]
  conversions: Generated<number>
}

interface TrackMonths {
  month: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  conversions: number
}

interface MoneyDays {
  day: string
  currency: string
  revenue_cents: Generated<number>
  refunds_cents: Generated<number>
  mrr_cents: Generated<number>
  paying: Generated<number>
  lost: Generated<number>
  conversions: Generated<number>
  preview_conversions: Generated<number>
}

interface InsightState {
  id: Generated<number>
  plays_until: string | null
  money_until: string | null
  rolled_at: string | null
  took_ms: Generated<number>
}

interface Settings {
  id: Generated<number>
  preview_length_seconds: Generated<number>
  maintenance_mode: Generated<boolean>
  pricing_monthly_cents: Generated<number>
  pricing_yearly_cents: Generated<number>
  stripe_price_monthly: Generated<string>
  stripe_price_yearly: Generated<string>
  stripe_webhook_secret: Generated<string>
  streams_free: Generated<number>
  streams_premium: Generated<number>
  updated_at: string | null
}

interface AuditLog {
  id: Generated<string>
  actor_id: string | null
  action: string
  entity: string
  entity_id: string | null
  before: unknown
  after: unknown
  ip_address: string | null
  created_at: Generated<string>
}

interface Uploads {
  id: Generated<string>
  user_id: string
  bucket: 'audio' | 'covers'
  path: string
  filename: string
  mime: string
  byte_size: number | null
  status: Generated<'open' | 'complete' | 'used'>
  sha256: string | null
  token_hash: string
  expires_at: string
  created_at: Generated<string>
  store_upload_id: string | null
  part_bytes: number | null
}

interface Backups {
  id: Generated<string>
  created_at: Generated<string>
  byte_size: number
  object_count: number
}

interface Instances {
  id: string
  host: string
  role: 'web' | 'worker' | 'all'
  version: string
  started_at: string
  seen_at: Generated<string>
  free_bytes: number
  total_bytes: number
}

interface TrafficCounts {
  key: string
  count: number
  resets_at: string
}

interface WebAssets {
  path: string
  bytes: Buffer
  served_at: Generated<string>
}

interface StorageGarbage {
  storage_key: string
  delete_after: Generated<string>
}

interface DemoSteps {
  step: string
  upload_path: string | null
  track_id: string | null
  done_at: string | null
}

interface PeopleCounts {
  subscription_status: string
  is_premium: boolean
  count: number
}

interface AuditCounts {
  action: string
  entity: string
  count: number
}

export interface Tables {
  images: Images
  profiles: Profiles
  user_roles: UserRoles
  sessions: Sessions
  accounts: Accounts
  verifications: Verifications
  two_factors: TwoFactors
  rate_limits: RateLimits
  category_metadata: CategoryMetadata
  genres: Genres
  tracks: Tracks
  renditions: Renditions
  playlists: Playlists
  playlist_tracks: PlaylistTracks
  likes: Likes
  plays: Plays
  players: Players
  subscriptions: Subscriptions
  stripe_subscriptions: StripeSubscriptions
  stripe_refunds: StripeRefunds
  stripe_closures: StripeClosures
  billing_events: BillingEvents
  payments: Payments
  insight_days: InsightDays
  track_days: TrackDays
  track_months: TrackMonths
  money_days: MoneyDays
  insight_state: InsightState
  settings: Settings
  audit_log: AuditLog
  people_counts: PeopleCounts
  audit_counts: AuditCounts
  uploads: Uploads
  backups: Backups
  instances: Instances
  web_assets: WebAssets
  traffic_counts: TrafficCounts
  storage_garbage: StorageGarbage
  demo_steps: DemoSteps
}

export type SettingsRow = Selectable<Settings>
export type TrackRow = Selectable<Tracks>
export type StripeSubscriptionRow = Selectable<StripeSubscriptions>
