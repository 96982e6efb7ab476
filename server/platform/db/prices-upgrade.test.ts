// Upgrades a service from price ids entered by the owner to prices created by the service (0129 to 0131). Nothing has
// to be entered again.
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabaseBeside } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

const released = join(import.meta.dirname, 'migrations')
const log = { info() {}, warn() {}, error() {} }

let folder: string
let client: pg.Client
let connectionString: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-prices-'))
  connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
  client = new pg.Client(connectionString)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

test('entered price ids and prices stay in use, in dollars and without tax', async () => {
  const names = (await readdir(released)).filter((name) => name.endsWith('.sql')).toSorted()
  for (const name of names.filter((one) => one < '0129')) {
    await copyFile(join(released, name), join(folder, name))
  }
  await migrate({ connectionString, log, folder })
  await client.query(`
    update settings set pricing_monthly_cents = 1234, stripe_price_monthly = 'price_typed_month',
                        stripe_price_yearly = 'price_typed_year'`)
  await migrate({ connectionString, log, folder: released })
  const settings = await client.query(`
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
  // The previous version keeps writing during an upgrade.
  await client.query(`update settings set stripe_price_monthly = 'price_new'`)
  const known = await client.query('select price_id, plan from known_prices order by price_id')
  expect(known.rows).toEqual([
    { price_id: 'price_new', plan: 'monthly' },
    { price_id: 'price_typed_month', plan: 'monthly' },
    { price_id: 'price_typed_year', plan: 'yearly' },
  ])
})
