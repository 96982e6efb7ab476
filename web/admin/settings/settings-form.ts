// Form state for the settings, and the request body.
import type { Settings, TaxMode, updateSettings } from '#contract/admin/admin-settings.ts'
import type { Audience } from '#contract/fields/availability.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import { defaultNewsMailsPerMinute } from '#contract/news.ts'
import { defaultGraceDays, defaultPreviewLengthSeconds, defaultStreams } from '#contract/plans.ts'

/** Numbers are strings, as typed. */
export interface SettingsForm {
  preview_length_seconds: string
  maintenance_mode: boolean
  news_mails_per_minute: string
  streams_free: string
  streams_premium: string
  default_ai_disclosure: AiDisclosure
  default_audience: Audience
  lyrics_on_pages: boolean
  pricing_monthly_cents: string
  pricing_yearly_cents: string
  stripe_price_monthly: string
  stripe_price_yearly: string
  tax_mode: TaxMode
  invoice_name: string
  invoice_address: string
  invoice_tax_id: string
  invoice_footer: string
  trial_days_monthly: string
  trial_days_yearly: string
  trial_needs_card: boolean
  grace_days: string
  retention_percent: string
  retention_months: string
  renewal_reminder: boolean
  referral_months: string
  referral_yearly_limit: string
  referral_wait_days: string
  stripe_webhook_secret: string
  admins_need_two_factor: boolean
}

export function formOfSettings(settings: Settings): SettingsForm {
  return {
    preview_length_seconds: String(settings.preview_length_seconds),
    maintenance_mode: settings.maintenance_mode,
    news_mails_per_minute: String(settings.news_mails_per_minute),
    streams_free: String(settings.streams_free),
    streams_premium: String(settings.streams_premium),
    default_ai_disclosure: settings.default_ai_disclosure,
    default_audience: settings.default_audience,
    lyrics_on_pages: settings.lyrics_on_pages,
    pricing_monthly_cents: String(settings.pricing_monthly_cents),
    pricing_yearly_cents: String(settings.pricing_yearly_cents),
    stripe_price_monthly: settings.stripe_price_monthly,
    stripe_price_yearly: settings.stripe_price_yearly,
    tax_mode: settings.tax_mode,
    invoice_name: settings.invoice_name,
    invoice_address: settings.invoice_address,
    invoice_tax_id: settings.invoice_tax_id,
    invoice_footer: settings.invoice_footer,
    trial_days_monthly: String(settings.trial_days_monthly),
    trial_days_yearly: String(settings.trial_days_yearly),
    trial_needs_card: settings.trial_needs_card,
    grace_days: String(settings.grace_days),
    retention_percent: String(settings.retention_percent),
    retention_months: String(settings.retention_months),
    renewal_reminder: settings.renewal_reminder,
    referral_months: String(settings.referral_months),
    referral_yearly_limit: String(settings.referral_yearly_limit),
    referral_wait_days: String(settings.referral_wait_days),
    stripe_webhook_secret: settings.stripe_webhook_secret,
    admins_need_two_factor: settings.admins_need_two_factor,
  }
}

/**
 * Returns the request body. Invalid or zero numbers become the default, and invalid prices become 0. Fields that
 * require a confirmation are included only if they differ from `base`.
 */
export function settingsOfForm(
  form: SettingsForm,
  base: SettingsForm,
): CallInput<typeof updateSettings>['body']['settings'] {
  const { stripe_webhook_secret, admins_need_two_factor, ...plain } = form
  return {
    ...plain,
    ...(stripe_webhook_secret !== base.stripe_webhook_secret && { stripe_webhook_secret }),
    ...(admins_need_two_factor !== base.admins_need_two_factor && { admins_need_two_factor }),
    preview_length_seconds:
      Number.parseInt(form.preview_length_seconds, 10) || defaultPreviewLengthSeconds,
    news_mails_per_minute:
      Number.parseInt(form.news_mails_per_minute, 10) || defaultNewsMailsPerMinute,
    streams_free: Number.parseInt(form.streams_free, 10) || defaultStreams.free,
    streams_premium: Number.parseInt(form.streams_premium, 10) || defaultStreams.premium,
    trial_days_monthly: Number.parseInt(form.trial_days_monthly, 10) || 0,
    trial_days_yearly: Number.parseInt(form.trial_days_yearly, 10) || 0,
    grace_days: parseWholeNumber(form.grace_days, defaultGraceDays),
    retention_percent: Number.parseInt(form.retention_percent, 10) || 0,
    retention_months: Number.parseInt(form.retention_months, 10) || 3,
    referral_months: parseWholeNumber(form.referral_months, 0),
    referral_yearly_limit: Number.parseInt(form.referral_yearly_limit, 10) || 12,
    referral_wait_days: parseWholeNumber(form.referral_wait_days, 14),
    pricing_monthly_cents: Number.parseInt(form.pricing_monthly_cents, 10) || 0,
    pricing_yearly_cents: Number.parseInt(form.pricing_yearly_cents, 10) || 0,
  }
}

/** Parses a setting that may be 0. Returns `usual` if the text is not a number. */
function parseWholeNumber(typed: string, usual: number): number {
  const number = Number.parseInt(typed, 10)
  return Number.isNaN(number) ? usual : number
}

export const settingsForm: VersionedFormKind<Settings, SettingsForm> = {
  what: 'the settings',
  secrets: ['stripe_webhook_secret'],
  formOf: formOfSettings,
  labels: {
    preview_length_seconds: 'Preview Length (seconds)',
    maintenance_mode: 'Maintenance Mode',
    default_ai_disclosure: 'Default Disclosure',
    default_audience: 'Audience for New Music',
    lyrics_on_pages: 'Lyrics on Public Pages',
    news_mails_per_minute: 'News Emails per Minute',
    streams_free: 'Simultaneous Devices, Free',
    streams_premium: 'Simultaneous Devices, Premium',
    pricing_monthly_cents: 'Monthly Price (cents)',
    pricing_yearly_cents: 'Yearly Price (cents)',
    stripe_price_monthly: 'Stripe Price ID Monthly',
    stripe_price_yearly: 'Stripe Price ID Yearly',
    tax_mode: 'Tax',
    invoice_name: 'Name on Invoices',
    invoice_address: 'Address',
    invoice_tax_id: 'Tax ID',
    invoice_footer: 'Invoice Footer',
    trial_days_monthly: 'Free Trial Monthly (days)',
    trial_days_yearly: 'Free Trial Yearly (days)',
    trial_needs_card: 'Require a Card for Trials',
    grace_days: 'Grace Period (days)',
    retention_percent: 'Retention Offer (percent off)',
    retention_months: 'Retention Offer (months)',
    renewal_reminder: 'Yearly Renewal Reminder',
    referral_months: 'Referral Reward (months for both)',
    referral_yearly_limit: 'Referrals per Member and Year',
    referral_wait_days: 'Waiting Period After Payment (days)',
    stripe_webhook_secret: 'Stripe Webhook Secret',
    admins_need_two_factor: 'Two-Factor for Admins',
  },
}
