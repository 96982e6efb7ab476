// The answer of GET /api/admin-settings of a new service.
import type { Settings } from '#contract/admin/admin-settings.ts'

export const settings: Settings = {
  admins_need_two_factor: false,
  preview_length_seconds: 45,
  maintenance_mode: false,
  trial_days_monthly: 0,
  trial_days_yearly: 0,
  trial_needs_card: true,
  grace_days: 7,
  news_mails_per_minute: 60,
  retention_percent: 0,
  retention_months: 3,
  renewal_reminder: true,
  streams_free: 1,
  streams_premium: 3,
  default_ai_disclosure: 'ai_generated',
  default_audience: 'everyone',
  lyrics_on_pages: false,
  pricing_monthly_cents: 999,
  pricing_yearly_cents: 9999,
  stripe_price_monthly: '',
  stripe_price_yearly: '',
  stripe_webhook_secret: '',
  updated_at: null,
  version: 1,
}
