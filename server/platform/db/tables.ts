// The tables as Kysely sees them: one interface per table, columns spelled as in SQL and on the wire.
// Times arrive as ISO 8601 strings with Z; the database handle sets the parsers.
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { RefundReason, RefundState } from '#contract/refunds.ts'
import type { PaymentFailure } from '#contract/payment-failures.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { FileProblem } from '#contract/fields/stored-files.ts'
import type { TokenScope } from '#contract/token-scopes.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { EvidenceMime } from '#contract/fields/evidence.ts'
import type { OriginParts } from '#contract/fields/origin-parts.ts'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import type { ArtistLink, CreditRole } from '#contract/fields/artist-credits.ts'
import type { PageKind } from '#contract/public-pages.ts'
import type {
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEventType,
} from '#contract/webhook-events.ts'
import type { FeatureAudience, FeatureName } from '#contract/features.ts'
import type { SupportState } from '#contract/support.ts'
import type { SpotKind } from '#contract/spots.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import type { SiteLink } from '#contract/fields/branding.ts'
import type { Audience } from '#contract/fields/availability.ts'
import type { ConsentKind, ConsentWay, ReleaseMail, TrackedMailKind } from '#contract/news.ts'
import type { AnnouncementAudience } from '#contract/announcements.ts'
import type { PlayContext } from '#contract/plays.ts'
import type { Bucket } from '#contract/uploads.ts'

/** Rows that several people edit. Only triggers set the version; a person's change sets the other two columns. */
export interface Versioned {
  readonly version: Generated<number>
  changed_by: string | null
  changed_at: string | null
}

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
  /** When a password or a code was last given in this session. */
  confirmed_at: Generated<string>
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

interface IdempotencyKeys {
  id: string
  user_id: string
  fingerprint: string
  status: number
  answer: string
  expires_at: string
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

/** When and for whom something can be heard: `features/availability`. */
interface Available {
  release_at: string | null
  release_zone: string | null
  early_access_days: Generated<number>
  early_access_until: string | null
  audience: Generated<Audience>
}

interface Tracks extends Versioned, Available {
  id: Generated<string>
  /** The creator it belongs to; null for the service's own. */
  owner_id: Generated<string | null>
  title: string
  artist: string
  /** The first category. */
  category: string | null
  /** The others, in order. */
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
  /** Soft-deleted: hidden everywhere. The row is removed when the deletion can no longer be undone. */
  deleted_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly search_folded: Generated<string>
}

/** Every category of each track, as the triggers of `tracks` keep it. */
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
  /** The creator it belongs to; null for the service's own. */
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

/** Former names. Renames add rows by a trigger. */
interface ArtistAliases {
  name: string
  artist_id: string
}

/** Former slugs. A trigger adds a row when the slug changes. */
interface ArtistSlugs {
  slug: string
  artist_id: string
}

/** Ids of artists that were merged into another one. */
interface ArtistMerges {
  id: string
  artist_id: string
}

interface RoyaltyStatements {
  /** The first day of the month. */
  month: string
  currency: string
  net_cents: number
  owner_cents: number
  paying: number
  closed_at: Generated<string>
}

interface RoyaltyLines {
  month: string
  currency: string
  artist_id: string
  name: string
  minutes: number
  listeners: number
  amount_cents: number
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
  /** The creator it belongs to; null for the service's own. */
  owner_id: Generated<string | null>
  kind: ReleaseKind
  title: string
  slug: string
  /** The text made from its credits, by triggers. */
  artist: Generated<string>
  cover_id: string | null
  description: string | null
  release_date: string | null
  label: string | null
  upc: string | null
  is_published: Generated<boolean>
  /** Soft-deleted, as in `tracks`. */
  deleted_at: string | null
  tracks_changed_at: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
  readonly released_on: Generated<string>
  readonly search_folded: Generated<string>
}

/** Former slugs. */
interface ReleaseSlugs {
  slug: string
  release_id: string
}

/** Current and former slugs of tracks and playlists. Triggers add rows. */
interface PageSlugs {
  kind: 'track' | 'playlist'
  slug: string
  item_id: string
  is_current: Generated<boolean>
}

/** The cards of link previews: features/share-cards. */
interface ShareCards {
  kind: PageKind
  item_id: string
  content_hash: string
  wide_key: string
  square_key: string
  video_key: string | null
  made_at: Generated<string>
}

/** Counts of public pages by day. */
interface PageDays {
  day: string
  kind: PageKind
  item_id: string
  shares: Generated<number>
  visits: Generated<number>
  previews: Generated<number>
  sign_ups: Generated<number>
  paid: Generated<number>
}

interface SignUpPages {
  user_id: string
  kind: PageKind
  item_id: string
  is_paid: Generated<boolean>
}

interface PressLinks {
  id: Generated<string>
  kind: 'track' | 'release' | 'artist'
  item_id: string
  secret_hash: string
  label: string
  expires_at: string
  created_by: string | null
  created_at: Generated<string>
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

interface ReleaseLikes {
  user_id: string
  release_id: string
  created_at: Generated<string>
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

/** Visible to admins only. */
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

interface TrackSounds {
  track_id: string
  version: number
  /** See encodeSoundVector. */
  vector: Buffer | null
  tempo: number | null
  tempo_confidence: Generated<number>
  /** Pitch class of the tonic, 0 for C. */
  key: number | null
  is_minor: Generated<boolean>
  loudness_range: number | null
  measured_at: Generated<string>
}

interface TrackFingerprints {
  track_id: string
  version: number
  seconds: number
  /** See encodeFingerprint. */
  fingerprint: Buffer | null
}

interface VersionDismissals {
  id: string
  track_id: string
  dismissed_at: Generated<string>
}

interface TrackVersions {
  track_id: string
  group_id: string
  linked_at: Generated<string>
}

interface TrackWords {
  track_id: string
  /** See encodeWords. */
  words: Buffer
}

interface TrackNeighbours {
  track_id: string
  neighbour_ids: string[]
  scores: number[]
  signals: number[]
  computed_at: Generated<string>
}

interface NeighbourUpdates {
  track_id: string
  changed_at: Generated<string>
}

interface DailyMixes {
  user_id: string
  day: string
  position: number
  title: string
  seed_ids: string[]
  track_ids: string[]
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
  /** Of a smart playlist. */
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
  /** Null: the owner. */
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
  /** JSON. */
  inverse: JSONColumnType<object> | null
  undone_at: string | null
  created_at: Generated<string>
}

/** Summaries of the tracks that members can see. Maintained by triggers. */
interface PlaylistSummaries {
  playlist_id: string
  track_count: Generated<number>
  duration: Generated<number>
  cover_ids: Generated<string[]>
}

interface Likes {
  user_id: string
  track_id: string
  /** Copied from the track by the database. */
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

interface Subscriptions {
  user_id: string
  payment_method: 'cash' | 'check' | 'cashapp' | 'zelle' | 'other' | 'stripe' | null
  is_manual: Generated<boolean>
  starts_at: string | null
  notes: string | null
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  grace_until: string | null
  trial_ends_at: string | null
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
  bought_here: Generated<boolean>
  trial_ends_at: string | null
  cancel_asked_at: string | null
  cancel_reason: string | null
  cancel_feedback: string | null
  cancel_comment: string | null
  retained_at: string | null
  card_checked_at: string | null
  renewal_notice_for: string | null
  created_at: Generated<string>
}

interface StripeCheckouts {
  user_id: string
  request_key: string
  offer: string
  session_id: string | null
  replaces: string | null
  created_at: Generated<string>
}

interface StripeTasks {
  subscription_id: string
  task: 'cancel_duplicate' | 'refund_duplicate' | 'check_trial' | 'pause_banned'
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
}

interface FailedPayments {
  invoice_id: string
  subscription_id: string
  reason: PaymentFailure
  amount_cents: number
  currency: string
  pay_url: string | null
  failed_at: string
  next_try_at: string | null
  is_mailed: Generated<boolean>
}

interface BillingNotices {
  kind: string
  key: string
  sent_at: Generated<string>
}

interface Gifts {
  id: Generated<string>
  code_hash: string | null
  code_sealed: string | null
  buyer_id: string | null
  months: number
  amount_cents: number
  currency: string
  from_name: string
  recipient_email: string | null
  message: Generated<string>
  send_at: string | null
  sent_at: string | null
  payment_intent: string | null
  paid_at: string | null
  redeemed_by: string | null
  redeemed_at: string | null
  plan_from: string | null
  plan_to: string | null
  refunded_at: string | null
  created_at: Generated<string>
}

interface UsedTrials {
  kind: 'account' | 'email' | 'card'
  hash: string
  subscription_id: string
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
  payment_intent: string | null
  event_at: string
}

interface RefundRequests {
  id: Generated<string>
  payment_id: string | null
  user_id: string | null
  amount_cents: number
  currency: string
  reason: RefundReason
  state: Generated<RefundState>
  failure: string | null
  stripe_refund_id: string | null
  requested_by: string | null
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
  settled_at: string | null
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
  /** Of a refund. */
  refund_of: string | null
  stripe_payment_intent: string | null
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

interface Settings extends Versioned {
  id: Generated<number>
  preview_length_seconds: Generated<number>
  maintenance_mode: Generated<boolean>
  pricing_monthly_cents: Generated<number>
  pricing_yearly_cents: Generated<number>
  stripe_price_monthly: Generated<string>
  stripe_price_yearly: Generated<string>
  stripe_webhook_secret: Generated<string>
  trial_days_monthly: Generated<number>
  trial_days_yearly: Generated<number>
  trial_needs_card: Generated<boolean>
  grace_days: Generated<number>
  news_mails_per_minute: Generated<number>
  retention_percent: Generated<number>
  retention_months: Generated<number>
  renewal_reminder: Generated<boolean>
  streams_free: Generated<number>
  streams_premium: Generated<number>
  default_ai_disclosure: Generated<AiDisclosure>
  /** For new tracks, releases and playlists. */
  default_audience: Generated<Audience>
  /** Whether public pages show lyrics. */
  lyrics_on_pages: Generated<boolean>
  admins_need_two_factor: Generated<boolean>
  updated_at: string | null
}

/** Null is the default. */
interface Branding extends Versioned {
  id: Generated<number>
  brand_name: string | null
  tagline: string | null
  artist_name: string | null
  contact_email: string | null
  accent: string | null
  landing_lead: string | null
  moods_heading: string | null
  features_heading: string | null
  plans_heading: string | null
  landing_tracks: Generated<string[]>
  social_links: JSONColumnType<SiteLink[], string | undefined, string>
  footer_links: JSONColumnType<SiteLink[], string | undefined, string>
  logo_id: string | null
  logo_width: number | null
  logo_height: number | null
  icon_id: string | null
  updated_at: string | null
}

interface LegalPages extends Versioned {
  slug: string
  title: string
  draft: string
  is_shown: Generated<boolean>
  created_at: Generated<string>
}

/** Append-only. */
interface LegalVersions {
  slug: string
  number: number
  title: string
  body: string
  asks_consent: Generated<boolean>
  published_at: Generated<string>
  published_by: string | null
}

interface TermsConsents {
  user_id: string
  slug: Generated<string>
  number: number
  consented_at: Generated<string>
  way: 'sign_up' | 'asked'
}

interface SetupState {
  id: Generated<number>
  hidden_at: string | null
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
  token_name: string | null
  created_at: Generated<string>
}

interface DeviceKeys {
  id: Generated<string>
  user_id: string
  name: string
  key_hash: string
  key_sealed: string
  purpose: Generated<'app' | 'feed'>
  created_at: Generated<string>
  last_used_at: string | null
  last_client: string | null
  last_network: string | null
}

interface AccessTokens {
  id: Generated<string>
  user_id: string
  name: string
  token_hash: string
  scopes: TokenScope[]
  expires_at: string
  created_at: Generated<string>
  last_used_at: string | null
  last_network: string | null
}

/** Of tracks, releases and artists, given in apps. */
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

interface FollowedArtists {
  user_id: string
  artist_id: string
  created_at: Generated<string>
}

interface NewsPreferences {
  user_id: string
  follows_everything: Generated<boolean>
  release_mail: Generated<ReleaseMail>
  announcements: Generated<boolean>
  next_digest_at: string | null
}

interface NewsConsents {
  id: Generated<string>
  user_id: string
  kind: ConsentKind
  choice: 'on' | ReleaseMail
  way: ConsentWay
  created_at: Generated<string>
}

interface NewsItems {
  id: Generated<string>
  release_id: string | null
  track_id: string | null
  premium_at: string | null
  everyone_at: string | null
  created_at: Generated<string>
}

interface TrackedMails {
  id: Generated<string>
  user_id: string
  kind: TrackedMailKind
  state: Generated<'queued' | 'sending' | 'sent' | 'refused' | 'failed' | 'canceled'>
  created_at: Generated<string>
}

interface NewsDeliveries {
  item_id: string
  user_id: string
  is_done: Generated<boolean>
  mail_id: string | null
  created_at: Generated<string>
}

interface Announcements {
  id: Generated<string>
  subject: string
  body: Generated<string>
  audience: Generated<AnnouncementAudience>
  created_by: string | null
  created_at: Generated<string>
  sent_at: string | null
  recipient_count: number | null
}

interface AnnouncementRecipients {
  announcement_id: string
  user_id: string
  is_done: Generated<boolean>
  mail_id: string | null
}

interface MailSettings extends Versioned {
  id: Generated<number>
  /** Empty: mails are written to the outbox folder. */
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user_name: string
  password_sealed: string
  from_name: string | null
  from_address: string | null
  reply_to: string | null
  dkim_selector: string
  weekly_figures: boolean
  /** 1 is Monday. */
  figures_weekday: number
  updated_at: string | null
}

interface MailWordsTable {
  kind: string
  subject: string | null
  opening: string | null
  closing: string | null
  updated_at: Generated<string>
}

interface FigureMails {
  user_id: string
  week: string
  sent_at: Generated<string>
}

interface FigureMailRefusals {
  user_id: string
  created_at: Generated<string>
}

interface SupportNotice {
  id: Generated<number>
  sent_at: Generated<string>
}

interface MailState {
  id: Generated<number>
  sent_at: string | null
  failed_at: string | null
  reason: string | null
  reply: string | null
}

interface KeptMails {
  id: Generated<string>
  sealed_mail: string
  expires_at: string
  tracked_mail_id: string | null
  created_at: Generated<string>
}

interface RefusedAddresses {
  user_id: string
  email: string
  refusals: number
  reason: string
  refused_at: Generated<string>
  suspended_at: string | null
}

interface PushKeys {
  id: Generated<number>
  public_key: string
  private_key_sealed: string
  created_at: Generated<string>
}

interface PushSubscriptions {
  id: Generated<string>
  user_id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Generated<string>
}

interface PushDeliveries {
  item_id: string
  subscription_id: string
  state: Generated<'waiting' | 'sending' | 'sent' | 'failed'>
  attempts: Generated<number>
  next_attempt_at: Generated<string>
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

interface PersonNotes {
  id: Generated<string>
  user_id: string
  author_id: string | null
  body: string
  created_at: Generated<string>
}

interface Invitations {
  id: Generated<string>
  email: string
  display_name: Generated<string>
  role: Generated<'admin' | 'editor' | 'creator' | 'member'>
  subscription_tier: Generated<Tier>
  token_hash: string | null
  sent_at: string | null
  expires_at: string
  invited_by: string | null
  created_at: Generated<string>
}

interface KnownDevices {
  user_id: string
  name: string
  first_seen_at: Generated<string>
  seen_at: Generated<string>
}

interface Uploads {
  id: Generated<string>
  user_id: string
  bucket: Bucket
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
  missing_count: Generated<number>
}

interface BackupRuns {
  id: Generated<string>
  started_at: Generated<string>
  seen_at: Generated<string>
  finished_at: string | null
  result: 'complete' | 'incomplete' | 'failed' | null
  error: string | null
  files_done: Generated<number>
  files_total: number | null
}

interface Instances {
  id: string
  host: string
  role: 'web' | 'worker' | 'all'
  version: string
  commit: string | null
  started_at: string
  seen_at: Generated<string>
  free_bytes: number
  total_bytes: number
  folder: Generated<string>
}

interface Alerts {
  name: string
  message: string
  began_at: Generated<string>
  notified_at: string | null
}

interface WebhookEndpoints {
  id: Generated<string>
  url: string
  description: Generated<string>
  event_types: WebhookEventType[]
  secret_sealed: string
  old_secret_sealed: string | null
  old_secret_until: string | null
  /** Null: enabled. */
  disabled_reason: WebhookDisabledReason | null
  disabled_at: string | null
  failing_since: string | null
  created_at: Generated<string>
}

/** Triggers add rows. */
interface WebhookEvents {
  id: Generated<string>
  type: string
  data: JSONColumnType<Record<string, unknown>, string, string>
  user_id: string | null
  created_at: Generated<string>
}

/** Triggers add rows. */
interface WebhookDeliveries {
  id: Generated<string>
  endpoint_id: string
  event_id: string
  state: Generated<WebhookDeliveryState>
  attempts: Generated<number>
  retries: Generated<number>
  next_attempt_at: string | null
  created_at: Generated<string>
}

interface WebhookAttempts {
  delivery_id: string
  number: number
  started_at: Generated<string>
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
}

interface Installation {
  is_only: Generated<boolean>
  id: Generated<string>
  secret_check: Generated<string>
  storage_marked_at: string | null
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

interface Imports {
  id: Generated<string>
  format: 'files' | 'catalogue' | 'server' | null
  name: string
  status: Generated<'waiting' | 'running' | 'listed' | 'asking' | 'done' | 'failed' | 'stopped'>
  problem: string | null
  upload_id: string | null
  server_url: string | null
  server_login_sealed: string | null
  started_by: string | null
  ip_address: string
  made: JSONColumnType<Record<string, number>, string | undefined, string>
  created_at: Generated<string>
  finished_at: string | null
}

interface ImportItems {
  import_id: string
  position: number
  kind: 'recording' | 'picture' | 'list'
  path: string
  name: string
  status: Generated<'waiting' | 'done' | 'known' | 'failed' | 'left_out'>
  data: JSONColumnType<object, string | undefined, string>
  decision: 'keep' | 'replace' | 'skip' | null
  track_id: string | null
  known_track_id: string | null
  known_by: 'recording' | 'source' | 'sound' | 'id' | null
  reason: string | null
}

interface StoredFiles {
  storage_key: string
  byte_size: number | null
  sha256: string | null
  checked_at: string | null
  problem: FileProblem | null
  repair_queued_at: string | null
}

interface FileChecks {
  id: Generated<string>
  started_at: Generated<string>
  finished_at: string | null
  checked_count: Generated<number>
  orphan_count: Generated<number>
  damaged_count: number | null
}

interface DemoSteps {
  step: string
  upload_path: string | null
  track_id: string | null
  done_at: string | null
}

interface DemoActivity {
  user_id: string
  kind: 'play' | 'like' | 'playlist'
  item_id: string
}

interface DemoInsightDays {
  day: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  listeners: number
  listeners_7d: number
  sign_ups: number
}

interface DemoTrackDays {
  day: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  left_at: number[]
  conversions: number
}

interface DemoMoneyDays {
  day: string
  currency: string
  revenue_cents: number
  refunds_cents: number
  mrr_cents: number
  paying: number
  lost: number
  conversions: number
  preview_conversions: number
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

interface Spots {
  id: Generated<string>
  kind: SpotKind
  title: string
  text: Generated<string>
  link_url: string | null
  link_label: Generated<string>
  picture_id: string | null
  is_on: Generated<boolean>
  starts_at: string | null
  ends_at: string | null
  category_ids: Generated<string[]>
  source_key: string | null
  processing_status: Generated<'processing' | 'ready' | 'failed'>
  processing_error: string | null
  audio_key: string | null
  audio_bytes: number | null
  duration_seconds: number | null
  loudness_lufs: number | null
  true_peak_dbtp: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface SpotRulesRow {
  id: Generated<number>
  every_songs: Generated<number>
  per_hour: Generated<number>
  skip_after_seconds: number | null
  offers_premium: Generated<boolean>
}

interface SpotShows {
  id: string
  spot_id: string | null
  user_id: string | null
  started_at: string
  finished_at: string | null
  clicked_at: string | null
}

interface SupportThreads {
  id: Generated<string>
  user_id: string
  subject: string
  state: Generated<SupportState>
  waiting_since: string | null
  last_message_at: string
  created_at: string
}

interface SupportMessages {
  id: Generated<string>
  thread_id: string
  is_answer: boolean
  admin_id: string | null
  text: string
  created_at: string
}

interface FeatureSwitches {
  name: FeatureName
  audience: FeatureAudience
  updated_at: Generated<string>
}

export interface Tables {
  feature_switches: FeatureSwitches
  support_threads: SupportThreads
  support_messages: SupportMessages
  spots: Spots
  spot_rules: SpotRulesRow
  spot_shows: SpotShows
  images: Images
  profiles: Profiles
  user_roles: UserRoles
  sessions: Sessions
  accounts: Accounts
  verifications: Verifications
  two_factors: TwoFactors
  rate_limits: RateLimits
  idempotency_keys: IdempotencyKeys
  category_metadata: CategoryMetadata
  genres: Genres
  tracks: Tracks
  artists: Artists
  artist_aliases: ArtistAliases
  artist_slugs: ArtistSlugs
  artist_merges: ArtistMerges
  track_credits: TrackCredits
  artist_undos: ArtistUndos
  releases: Releases
  release_slugs: ReleaseSlugs
  page_slugs: PageSlugs
  press_links: PressLinks
  share_cards: ShareCards
  page_days: PageDays
  sign_up_pages: SignUpPages
  release_credits: ReleaseCredits
  release_tracks: ReleaseTracks
  release_likes: ReleaseLikes
  track_file_tags: TrackFileTags
  track_origins: TrackOrigins
  track_evidence: TrackEvidence
  readonly track_categories: TrackCategories
  deletions: Deletions
  renditions: Renditions
  track_sounds: TrackSounds
  track_fingerprints: TrackFingerprints
  track_versions: TrackVersions
  version_dismissals: VersionDismissals
  track_words: TrackWords
  track_neighbours: TrackNeighbours
  neighbour_updates: NeighbourUpdates
  daily_mixes: DailyMixes
  playlists: Playlists
  playlist_tracks: PlaylistTracks
  playlist_summaries: PlaylistSummaries
  playlist_members: PlaylistMembers
  playlist_invitations: PlaylistInvitations
  playlist_changes: PlaylistChanges
  likes: Likes
  plays: Plays
  track_deliveries: TrackDeliveries
  players: Players
  subscriptions: Subscriptions
  stripe_subscriptions: StripeSubscriptions
  stripe_checkouts: StripeCheckouts
  stripe_tasks: StripeTasks
  used_trials: UsedTrials
  billing_notices: BillingNotices
  gifts: Gifts
  failed_payments: FailedPayments
  stripe_refunds: StripeRefunds
  stripe_closures: StripeClosures
  refund_requests: RefundRequests
  billing_events: BillingEvents
  payments: Payments
  insight_days: InsightDays
  track_days: TrackDays
  track_months: TrackMonths
  money_days: MoneyDays
  insight_state: InsightState
  settings: Settings
  branding: Branding
  reviews: Reviews
  royalty_statements: RoyaltyStatements
  royalty_lines: RoyaltyLines
  legal_pages: LegalPages
  legal_versions: LegalVersions
  terms_consents: TermsConsents
  setup_state: SetupState
  audit_log: AuditLog
  people_counts: PeopleCounts
  person_notes: PersonNotes
  invitations: Invitations
  known_devices: KnownDevices
  device_keys: DeviceKeys
  access_tokens: AccessTokens
  app_ratings: AppRatings
  artist_likes: ArtistLikes
  app_queues: AppQueues
  followed_artists: FollowedArtists
  news_preferences: NewsPreferences
  news_consents: NewsConsents
  news_items: NewsItems
  tracked_mails: TrackedMails
  news_deliveries: NewsDeliveries
  mail_settings: MailSettings
  mail_state: MailState
  mail_words: MailWordsTable
  figure_mails: FigureMails
  figure_mail_refusals: FigureMailRefusals
  support_notice: SupportNotice
  kept_mails: KeptMails
  refused_addresses: RefusedAddresses
  announcements: Announcements
  announcement_recipients: AnnouncementRecipients
  push_keys: PushKeys
  push_subscriptions: PushSubscriptions
  push_deliveries: PushDeliveries
  listening_contexts: ListeningContexts
  audit_counts: AuditCounts
  uploads: Uploads
  backups: Backups
  backup_runs: BackupRuns
  instances: Instances
  installation: Installation
  alerts: Alerts
  webhook_endpoints: WebhookEndpoints
  webhook_events: WebhookEvents
  webhook_deliveries: WebhookDeliveries
  webhook_attempts: WebhookAttempts
  web_assets: WebAssets
  traffic_counts: TrafficCounts
  storage_garbage: StorageGarbage
  imports: Imports
  import_items: ImportItems
  stored_files: StoredFiles
  file_checks: FileChecks
  demo_steps: DemoSteps
  demo_activity: DemoActivity
  demo_insight_days: DemoInsightDays
  demo_track_days: DemoTrackDays
  demo_money_days: DemoMoneyDays
}

export type SettingsRow = Selectable<Settings>
export type BrandingRow = Selectable<Branding>
export type MailSettingsRow = Selectable<MailSettings>
export type TrackRow = Selectable<Tracks>
export type GiftRow = Selectable<Gifts>
export type StripeSubscriptionRow = Selectable<StripeSubscriptions>
