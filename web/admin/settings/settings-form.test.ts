import { expect, test } from 'vitest'
import { formOfSettings, settingsOfForm } from './settings-form.ts'

const form = formOfSettings({
  preview_length_seconds: 30,
  maintenance_mode: false,
  tax_mode: 'off',
  currency: 'usd',
  invoice_name: '',
  invoice_address: '',
  invoice_tax_id: '',
  invoice_footer: '',
  trial_days_monthly: 0,
  trial_days_yearly: 0,
  trial_needs_card: true,
  grace_days: 7,
  news_mails_per_minute: 60,
  retention_percent: 0,
  retention_months: 3,
  renewal_reminder: true,
  referral_months: 0,
  referral_yearly_limit: 12,
  referral_wait_days: 14,
  streams_free: 1,
  streams_premium: 3,
  default_ai_disclosure: 'human',
  default_audience: 'everyone',
  lyrics_on_pages: false,
  pricing_monthly_cents: 999,
  pricing_yearly_cents: 9999,
  stripe_price_monthly: 'price_1',
  stripe_price_yearly: 'price_2',
  stripe_webhook_secret: '••••1234',
  admins_need_two_factor: false,
  updated_at: null,
  version: 1,
})

test('sends a preview length of 45 seconds if the typed one is invalid or zero', () => {
  const lengths = ['', 'x', '0', '60'].map(
    (typed) =>
      settingsOfForm({ ...form, preview_length_seconds: typed }, form).preview_length_seconds,
  )
  expect(lengths).toEqual([45, 45, 45, 60])
})

test('sends the default number of devices if the typed one is invalid or zero', () => {
  const sent = settingsOfForm({ ...form, streams_free: '', streams_premium: '0' }, form)
  expect(sent).toMatchObject({ streams_free: 1, streams_premium: 3 })
  expect(settingsOfForm({ ...form, streams_free: '2' }, form).streams_free).toBe(2)
})

test('sends a price of 0 if the typed one is invalid', () => {
  expect(settingsOfForm({ ...form, pricing_monthly_cents: 'x' }, form).pricing_monthly_cents).toBe(
    0,
  )
  expect(settingsOfForm({ ...form, pricing_yearly_cents: '' }, form).pricing_yearly_cents).toBe(0)
})

test('sends fields that require a confirmation only when they changed', () => {
  const sent = Object.keys(settingsOfForm({ ...form, streams_free: '2' }, form))
  expect(sent).not.toContain('stripe_webhook_secret')
  expect(sent).not.toContain('admins_need_two_factor')
  const changed = { stripe_webhook_secret: 'whsec_new', admins_need_two_factor: true }
  expect(settingsOfForm({ ...form, ...changed }, form)).toMatchObject(changed)
})
