// The owner's settings: one row.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { aiDisclosures } from '../fields/ai-disclosure.ts'
import { audiences } from '../fields/availability.ts'
import { endpoint } from '../endpoint.ts'
import { invoiceDetails } from '../receipts.ts'
import { readVersion, version } from '../fields/versions.ts'

/** The longest trial and the longest grace period. */
export const maxTrialDays = 90
export const maxGraceDays = 30

export const maxNewsMailsPerMinute = 3000
export const maxRetentionMonths = 24
export const maxReferralMonths = 12
export const maxReferralLimit = 1000
export const maxReferralWaitDays = 90

/** More devices than anybody uses concurrently. */
export const maxStreams = 50

export const taxModes = ['off', 'stripe_tax', 'managed'] as const
export type TaxMode = (typeof taxModes)[number]

const taxMode = z
  .enum(taxModes)
  .check(
    z.describe(
      'Who computes tax on purchases: nobody, Stripe Tax, or Stripe as the seller with Managed Payments.',
    ),
  )

export const settings = z.object({
  currency: z
    .string()
    .check(z.describe('Of prices and manual payments. It is changed with the prices.')),
  tax_mode: taxMode,
  ...invoiceDetails,
  preview_length_seconds: z.number(),
  maintenance_mode: z.boolean(),
  pricing_monthly_cents: z.number(),
  pricing_yearly_cents: z.number(),
  stripe_price_monthly: z.string(),
  stripe_price_yearly: z.string(),
  trial_days_monthly: z.number().check(z.describe('Days of the free trial. 0: none.')),
  trial_days_yearly: z.number(),
  trial_needs_card: z.boolean().check(z.describe('Whether a trial requires a card.')),
  grace_days: z
    .number()
    .check(
      z.describe('Days that Premium lasts after a failed payment, from the end of what was paid.'),
    ),
  news_mails_per_minute: z
    .number()
    .check(z.describe('Mails about releases and announcements that are sent in a minute at most.')),
  retention_percent: z
    .number()
    .check(z.describe('What members who cancel are offered for staying, in percent. 0: nothing.')),
  retention_months: z.number().check(z.describe('For how many months the offer lasts.')),
  renewal_reminder: z
    .boolean()
    .check(z.describe('Members get a mail 7 days before a yearly plan renews.')),
  referral_months: z
    .number()
    .check(z.describe('Months for a member who brings a friend, and for the friend. 0: off.')),
  referral_yearly_limit: z
    .number()
    .check(z.describe('How many friends earn a member something, in a year.')),
  referral_wait_days: z
    .number()
    .check(z.describe("Days between the friend's first payment and the reward.")),
  streams_free: z
    .number()
    .check(z.describe('Number of devices on which one account may play concurrently.')),
  streams_premium: z.number(),
  default_ai_disclosure: z
    .enum(aiDisclosures)
    .check(z.describe('The AI disclosure of new uploads.')),
  default_audience: z
    .enum(audiences)
    .check(z.describe('Audience of new tracks, releases and playlists.')),
  lyrics_on_pages: z
    .boolean()
    .check(z.describe('Whether public pages of tracks show their lyrics.')),
  admins_need_two_factor: z
    .boolean()
    .check(z.describe('Whether admins need a second factor for the back office.')),
  stripe_webhook_secret: z
    .string()
    .check(z.describe('Masked: only its last four characters are returned. Empty: not set.')),
  updated_at: z.nullable(timestamp).check(z.describe('Null: never updated.')),
  version,
})
export type Settings = z.infer<typeof settings>

const cents = z.number().check(z.int(), z.minimum(0), z.maximum(100_000_000))
const trialDays = z.number().check(z.int(), z.minimum(0), z.maximum(maxTrialDays))
const streams = z.number().check(z.int(), z.minimum(1), z.maximum(maxStreams))
const priceId = z.string().check(z.trim(), z.maxLength(200))

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/admin-settings',
  summary: 'The settings.',
  access: 'admin',
  versionAt: 'version',
  output: settings,
})

export const updateSettings = endpoint({
  method: 'POST',
  path: '/api/admin-settings',
  summary:
    'Save settings. Absent limits are not changed, and neither is a secret that is absent or still masked. Only an admin with a second factor can require one for admins.',
  access: 'admin',
  versionAt: 'version',
  needsConfirmation: {
    'settings.stripe_webhook_secret': 'any value',
    'settings.admins_need_two_factor': 'any value',
  },
  audit: { settings: ['update'] },
  body: z.object({
    action: z.literal('update'),
    settings: z.object({
      preview_length_seconds: z.number().check(z.int(), z.minimum(1), z.maximum(600)),
      maintenance_mode: z.boolean(),
      pricing_monthly_cents: cents,
      pricing_yearly_cents: cents,
      stripe_price_monthly: priceId,
      stripe_price_yearly: priceId,
      currency: z.optional(z.string()).check(z.describe('Ignored.')),
      tax_mode: z.optional(taxMode),
      invoice_name: z.optional(invoiceDetails.invoice_name),
      invoice_address: z.optional(invoiceDetails.invoice_address),
      invoice_tax_id: z.optional(invoiceDetails.invoice_tax_id),
      invoice_footer: z.optional(invoiceDetails.invoice_footer),
      trial_days_monthly: z.optional(trialDays),
      trial_days_yearly: z.optional(trialDays),
      trial_needs_card: z.optional(z.boolean()),
      grace_days: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(maxGraceDays))),
      news_mails_per_minute: z.optional(
        z.number().check(z.int(), z.minimum(1), z.maximum(maxNewsMailsPerMinute)),
      ),
      retention_percent: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(100))),
      retention_months: z.optional(
        z.number().check(z.int(), z.minimum(1), z.maximum(maxRetentionMonths)),
      ),
      renewal_reminder: z.optional(z.boolean()),
      referral_months: z.optional(
        z.number().check(z.int(), z.minimum(0), z.maximum(maxReferralMonths)),
      ),
      referral_yearly_limit: z.optional(
        z.number().check(z.int(), z.minimum(1), z.maximum(maxReferralLimit)),
      ),
      referral_wait_days: z.optional(
        z.number().check(z.int(), z.minimum(0), z.maximum(maxReferralWaitDays)),
      ),
      streams_free: z.optional(streams),
      streams_premium: z.optional(streams),
      default_ai_disclosure: z.optional(z.enum(aiDisclosures)),
      default_audience: z.optional(z.enum(audiences)),
      lyrics_on_pages: z.optional(z.boolean()),
      admins_need_two_factor: z.optional(z.boolean()),
      stripe_webhook_secret: z.optional(z.string().check(z.trim(), z.maxLength(300))),
      // Clients send the settings back as they were read.
      updated_at: z.optional(z.nullable(timestamp)).check(z.describe('Ignored.')),
      version: z.optional(z.number()).check(z.describe('Ignored. See `version` of the body.')),
    }),
    version: readVersion,
  }),
  output: settings,
  errors: ['changed_meanwhile', 'own_two_factor_off'],
})

export const getPreviewProgress = endpoint({
  method: 'GET',
  path: '/api/admin-settings/previews',
  summary: 'The number of previews, and how many still have to be recut to the configured length.',
  access: 'admin',
  output: z.object({ total: z.number(), stale: z.number() }),
})
