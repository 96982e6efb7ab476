// The database tables for Kysely, with one file per area in `tables/`. Columns have the same names as in SQL and in
// the API. Times are ISO 8601 strings with Z, as parsed by the database handle.
import type { Selectable } from 'kysely'
import type { BillingTables } from './tables/billing.ts'
import type { CatalogueTables } from './tables/catalogue.ts'
import type { InsightsTables } from './tables/insights.ts'
import type { ListeningTables } from './tables/listening.ts'
import type { MessagesTables } from './tables/messages.ts'
import type { PagesTables } from './tables/pages.ts'
import type { PeopleTables } from './tables/people.ts'
import type { ServiceTables } from './tables/service.ts'
import type { SettingsTables } from './tables/settings.ts'
import type { SoundTables } from './tables/sound.ts'

export type { DeletedEntity } from './tables/catalogue.ts'
export type { Versioned } from './tables/shared-columns.ts'

export interface Tables
  extends
    BillingTables,
    CatalogueTables,
    InsightsTables,
    ListeningTables,
    MessagesTables,
    PagesTables,
    PeopleTables,
    ServiceTables,
    SettingsTables,
    SoundTables {}

export type SettingsRow = Selectable<Tables['settings']>
export type BrandingRow = Selectable<Tables['branding']>
export type MailSettingsRow = Selectable<Tables['mail_settings']>
export type StripeConnectionRow = Selectable<Tables['stripe_connection']>
export type BounceSettingsRow = Selectable<Tables['bounce_settings']>
export type TrackRow = Selectable<Tables['tracks']>
export type GiftRow = Selectable<Tables['gifts']>
export type PriceSetRow = Selectable<Tables['price_sets']>
export type PriceChangeRow = Selectable<Tables['price_changes']>
export type ReceiptRow = Selectable<Tables['receipts']>
export type ReferralRow = Selectable<Tables['referrals']>
export type ReferralRewardRow = Selectable<Tables['referral_rewards']>
export type StripeSubscriptionRow = Selectable<Tables['stripe_subscriptions']>
