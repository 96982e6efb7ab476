// The settings of the service, stored in a single row.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { aiDisclosures } from '../fields/ai-disclosure.ts'
import { audiences } from '../fields/availability.ts'
import { endpoint } from '../endpoint.ts'
import { invoiceDetails } from '../receipts.ts'
import { readVersion, version } from '../fields/versions.ts'

/** Upper limits of trial and grace period, in days. */
export const maxTrialDays = 90
export const maxGraceDays = 30

export const maxNewsMailsPerMinute = 3000
export const maxRetentionMonths = 24
export const maxReferralMonths = 12
export const maxReferralLimit = 1000
export const maxReferralWaitDays = 90

/** Higher than any realistic number of concurrent devices. */
export const maxStreams = 50

export const taxModes = ['off', 'stripe_tax', 'managed'] as const
export type TaxMode = (typeof taxModes)[number]

const taxMode = z
  .enum(taxModes)
  .check(
    z.describe(
      'Who calculates tax on purchases: nobody (`off`), Stripe Tax, or Stripe as merchant of record with Managed Payments.',
    ),
  )

export const settings = z.object({
  currency: z
    .string()
    .check(
      z.describe(
        'The currency of prices and manual payments. It changes only together with the prices.',
      ),
    ),
  tax_mode: taxMode,
  ...invoiceDetails,
  preview_length_seconds: z.number(),
  maintenance_mode: z.boolean(),
  pricing_monthly_cents: z.number(),
  pricing_yearly_cents: z.number(),
  stripe_price_monthly: z.string(),
  stripe_price_yearly: z.string(),
  trial_days_monthly: z
    .number()
    .check(z.describe('Length of the free trial in days, or 0 for no trial.')),
  trial_days_yearly: z.number(),
  trial_needs_card: z.boolean().check(z.describe('Whether starting a trial requires a card.')),
  grace_days: z
    .number()
    .check(
      z.describe(
        'How many days Premium continues after a failed payment, counted from the end of the paid period.',
      ),
    ),
  news_mails_per_minute: z
    .number()
    .check(
      z.describe('Maximum number of emails about releases and announcements sent per minute.'),
    ),
  retention_percent: z
    .number()
    .check(z.describe('The discount in percent offered to members who cancel, or 0 for no offer.')),
  retention_months: z.number().check(z.describe('How many months the discount lasts.')),
  renewal_reminder: z
    .boolean()
    .check(z.describe('Whether members are notified by email 7 days before a yearly plan renews.')),
  referral_months: z
    .number()
    .check(
      z.describe(
        'Months of Premium for the referring member and for the friend, or 0 if referrals are off.',
      ),
    ),
  referral_yearly_limit: z
    .number()
    .check(z.describe('How many friends a member can be rewarded for per year.')),
  referral_wait_days: z
    .number()
    .check(z.describe("Days from the friend's first payment to the reward.")),
  streams_free: z
    .number()
    .check(z.describe('Number of devices on which a free account can play at the same time.')),
  streams_premium: z.number(),
  default_ai_disclosure: z
    .enum(aiDisclosures)
    .check(z.describe('The default AI disclosure of new uploads.')),
  default_audience: z
    .enum(audiences)
    .check(z.describe('The default audience of new tracks, releases and playlists.')),
  lyrics_on_pages: z
    .boolean()
    .check(z.describe('Whether public pages of tracks show their lyrics.')),
  admins_need_two_factor: z
    .boolean()
    .check(z.describe('Whether admins need a second factor to open the back office.')),
  stripe_webhook_secret: z
    .string()
    .check(z.describe('Masked: only the last four characters are returned. Empty if not set.')),
  updated_at: z.nullable(timestamp).check(z.describe('Null if never updated.')),
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
  summary: 'The settings of the service.',
  access: 'admin',
  versionAt: 'version',
  output: settings,
})

export const updateSettings = endpoint({
  method: 'POST',
  path: '/api/admin-settings',
  summary:
    'Save the settings. Absent limits are not changed, nor is a secret that is absent or still masked. Only an admin who has a second factor can require one for admins.',
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
      // Clients may send this field back as they received it.
      updated_at: z.optional(z.nullable(timestamp)).check(z.describe('Ignored.')),
      version: z
        .optional(z.number())
        .check(z.describe('Ignored. Use `version` next to `settings`.')),
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
