// Tables for the settings and the appearance of the service.
import type { Generated, JSONColumnType } from 'kysely'
import type { TaxMode } from '#contract/admin/admin-settings.ts'
import type { FeatureAudience, FeatureName } from '#contract/features.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { Audience } from '#contract/fields/availability.ts'
import type { SiteLink } from '#contract/fields/branding.ts'
import type { Versioned } from './shared-columns.ts'

interface Settings extends Versioned {
  id: Generated<number>
  preview_length_seconds: Generated<number>
  maintenance_mode: Generated<boolean>
  currency: Generated<string>
  tax_mode: Generated<TaxMode>
  invoice_name: Generated<string>
  invoice_address: Generated<string>
  invoice_tax_id: Generated<string>
  invoice_footer: Generated<string>
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
  referral_months: Generated<number>
  referral_yearly_limit: Generated<number>
  referral_wait_days: Generated<number>
  streams_free: Generated<number>
  streams_premium: Generated<number>
  default_ai_disclosure: Generated<AiDisclosure>
  /** The default for new tracks, releases and playlists. */
  default_audience: Generated<Audience>
  /** Whether public pages show lyrics. */
  lyrics_on_pages: Generated<boolean>
  admins_need_two_factor: Generated<boolean>
  updated_at: string | null
}

/** The branding set by the owner. Null values stand for the defaults. */
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

/** Published versions of legal pages. Append-only. */
interface LegalVersions {
  slug: string
  number: number
  title: string
  body: string
  asks_consent: Generated<boolean>
  published_at: Generated<string>
  published_by: string | null
}

interface SetupState {
  id: Generated<number>
  hidden_at: string | null
}

interface MailSettings extends Versioned {
  id: Generated<number>
  /** The mail server. Empty if emails are written to the outbox folder. */
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
  /** The weekday on which statistics emails are sent: 1 is Monday. */
  figures_weekday: number
  updated_at: string | null
}

interface StripeConnection {
  id: Generated<number>
  /** The encrypted API key of Stripe. Empty if no key was entered in the back office. */
  key_sealed: string
  key_last4: string
  is_live: boolean
  /** Id of the Stripe account. Null if it is unknown. */
  account_id: string | null
  account_name: string | null
  missing_rights: string[]
  set_at: string | null
  /** Incremented when the Stripe account changes. */
  account_number: number
  webhook_id: string | null
  webhook_url: string | null
  webhook_secret_hash: string | null
  webhook_failure: string | null
  webhook_tried_at: string | null
  webhook_tries: number
}

interface BounceSettings extends Versioned {
  id: Generated<number>
  /** The IMAP server. Empty if no mailbox is read. */
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user_name: string
  password_sealed: string
  folder: string
  /** The envelope sender of all emails. Null for the sender's address. */
  bounce_address: string | null
  updated_at: string | null
}

interface BounceState {
  id: Generated<number>
  mailbox: Generated<string>
  uid_validity: Generated<string>
  last_uid: Generated<number>
  tried_at: string | null
  read_at: string | null
  failed_at: string | null
  reason: string | null
  reply: string | null
  read_count: Generated<number>
  bounced_count: Generated<number>
  complaint_count: Generated<number>
  ignored_count: Generated<number>
}

interface MailWordsTable {
  kind: string
  subject: string | null
  opening: string | null
  closing: string | null
  updated_at: Generated<string>
}

interface MailState {
  id: Generated<number>
  sent_at: string | null
  failed_at: string | null
  reason: string | null
  reply: string | null
}

interface FeatureSwitches {
  name: FeatureName
  audience: FeatureAudience
  updated_at: Generated<string>
}

export interface SettingsTables {
  settings: Settings
  branding: Branding
  legal_pages: LegalPages
  legal_versions: LegalVersions
  setup_state: SetupState
  feature_switches: FeatureSwitches
  mail_settings: MailSettings
  bounce_settings: BounceSettings
  bounce_state: BounceState
  mail_state: MailState
  mail_words: MailWordsTable
  stripe_connection: StripeConnection
}
