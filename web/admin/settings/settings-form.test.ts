import { expect, test } from 'vitest'
import { formOfSettings, settingsOfForm } from './settings-form.ts'

const form = formOfSettings({
  preview_length_seconds: 30,
  maintenance_mode: false,
  streams_free: 1,
  streams_premium: 3,
  default_ai_disclosure: 'human',
  pricing_monthly_cents: 999,
  pricing_yearly_cents: 9999,
  stripe_price_monthly: 'price_1',
  stripe_price_yearly: 'price_2',
  stripe_webhook_secret: '••••1234',
  updated_at: null,
  version: 1,
})

test('a preview length that is no number, or zero, is 45 seconds', () => {
  const lengths = ['', 'x', '0', '60'].map(
    (typed) => settingsOfForm({ ...form, preview_length_seconds: typed }).preview_length_seconds,
  )
  expect(lengths).toEqual([45, 45, 45, 60])
})

test('a number of devices that is no number, or zero, is the one to begin with', () => {
  const sent = settingsOfForm({ ...form, streams_free: '', streams_premium: '0' })
  expect(sent).toMatchObject({ streams_free: 1, streams_premium: 3 })
  expect(settingsOfForm({ ...form, streams_free: '2' }).streams_free).toBe(2)
})

test('a price that is no number is 0', () => {
  expect(settingsOfForm({ ...form, pricing_monthly_cents: 'x' }).pricing_monthly_cents).toBe(0)
  expect(settingsOfForm({ ...form, pricing_yearly_cents: '' }).pricing_yearly_cents).toBe(0)
})
