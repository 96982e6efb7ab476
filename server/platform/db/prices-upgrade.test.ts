// Migrates from price ids that the owner entered to prices that the service creates (0129 to 0131). The owner doesn't
// have to enter anything again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

test('entered price ids and prices stay in use, in dollars and without tax', async () => {
  await older.migrateTo('0128')
  await older.client.query(`
    update settings set pricing_monthly_cents = 1234, stripe_price_monthly = 'price_typed_month',
                        stripe_price_yearly = 'price_typed_year'`)
  await older.migrateTo('0131')
  const settings = await older.client.query(`
    select currency, tax_mode, pricing_monthly_cents, pricing_yearly_cents, stripe_price_monthly, invoice_name
      from settings`)
  expect(settings.rows).toEqual([
    {
      currency: 'usd',
      tax_mode: 'off',
      pricing_monthly_cents: 1234,
      pricing_yearly_cents: 9999,
      stripe_price_monthly: 'price_typed_month',
      invoice_name: '',
    },
  ])
  // Servers of the previous version keep writing during an upgrade.
  await older.client.query(`update settings set stripe_price_monthly = 'price_new'`)
  const known = await older.client.query(
    'select price_id, plan from known_prices order by price_id',
  )
  expect(known.rows).toEqual([
    { price_id: 'price_new', plan: 'monthly' },
    { price_id: 'price_typed_month', plan: 'monthly' },
    { price_id: 'price_typed_year', plan: 'yearly' },
  ])
})
