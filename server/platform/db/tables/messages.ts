// Tables for news, emails, notifications, support and spots.
import type { Generated } from 'kysely'
import type { AnnouncementAudience } from '#contract/announcements.ts'
import type { ConsentKind, ConsentWay, ReleaseMail, TrackedMailKind } from '#contract/news.ts'
import type { SpotKind } from '#contract/spots.ts'
import type { SupportState } from '#contract/support.ts'

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
  source: Generated<'server' | 'bounce'>
}

interface MailBounces {
  mail_id: string
  kind: 'permanent' | 'temporary' | 'complaint'
  user_id: string
  email: string
  reason: string
  created_at: Generated<string>
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

export interface MessagesTables {
  followed_artists: FollowedArtists
  news_preferences: NewsPreferences
  news_consents: NewsConsents
  news_items: NewsItems
  tracked_mails: TrackedMails
  news_deliveries: NewsDeliveries
  figure_mails: FigureMails
  figure_mail_refusals: FigureMailRefusals
  support_notice: SupportNotice
  kept_mails: KeptMails
  refused_addresses: RefusedAddresses
  mail_bounces: MailBounces
  announcements: Announcements
  announcement_recipients: AnnouncementRecipients
  push_keys: PushKeys
  push_subscriptions: PushSubscriptions
  push_deliveries: PushDeliveries
  support_threads: SupportThreads
  support_messages: SupportMessages
  spots: Spots
  spot_rules: SpotRulesRow
  spot_shows: SpotShows
}
