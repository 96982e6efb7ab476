// Tests the start page of the back office: its statistics, warnings and checklist reflect the state of the service.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAdminOverview, setSetupHidden, averageDays } from '#contract/admin/admin-overview.ts'
import { publishLegalPage, saveLegalPage } from '#contract/admin/admin-legal.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { getInsights } from '#contract/admin/insights.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { rollUpInsights } from '../insights/roll-up-insights.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { sellingSettings } from '../../testing/stripe/stripe-payloads.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
const now = new Date('2026-11-21T12:00:00Z')

beforeAll(async () => {
  app = await createTestApp({}, { now: () => now })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const overview = async () => (await admin.call(getAdminOverview, {})).body
const stepsDone = async () =>
  Object.fromEntries((await overview()).setup.steps.map(({ step, is_done }) => [step, is_done]))

test('a new service has no averages and no warnings, and every setup step is open', async () => {
  const { days, usual, attention, setup } = await overview()
  expect(days).toHaveLength(averageDays + 1)
  expect(days.at(-1)).toMatchObject({ day: '2026-11-21', plays: 0, net_cents: 0 })
  expect(usual).toBeNull()
  expect(attention).toMatchObject({
    failed_jobs: 0,
    failed_tracks: 0,
    drafts_ready: 0,
    backup: 'ok',
  })
  expect(setup).toMatchObject({ is_hidden: false })
  expect(await stepsDone()).toEqual({
    brand: false,
    first_upload: false,
    publish: false,
    prices: false,
    legal: false,
    stripe: false,
    mail: false,
    public_address: false,
    backup: false,
  })
})

test("the owner's account does not count as a sign-up, so Insights stays empty until someone else signs up", async () => {
  const range = { start: '2026-11-01', end: '2026-11-21' }
  await app.services.db.query
    .updateTable('profiles')
    .set({ created_at: '2026-11-21T08:00:00Z' })
    .execute()
  await rollUpInsights(app.services.db, now)
  expect((await admin.call(getInsights, { query: range })).body.has_data).toBe(false)
  await app.makePerson()
  await app.services.db.query
    .updateTable('profiles')
    .set({ created_at: '2026-11-21T09:00:00Z' })
    .execute()
  await app.services.db.query.updateTable('insight_state').set({ rolled_at: null }).execute()
  await rollUpInsights(app.services.db, now)
  expect((await admin.call(getInsights, { query: range })).body.has_data).toBe(true)
  expect((await overview()).days.at(-1)?.sign_ups).toBe(1)
})

test('the averages include only the days since the first day with data', async () => {
  const day = (day: string, plays: number) => sql`(${day}::date, ${plays}, 4)`
  await sql`insert into insight_days (day, plays, listeners) values
    ${sql.join([day('2026-11-18', 10), day('2026-11-20', 20)])}`.execute(app.services.db.query)
  await sql`insert into money_days (day, currency, revenue_cents, refunds_cents)
    values ('2026-11-20', 'usd', 1200, 300)`.execute(app.services.db.query)
  const { usual, days, currency } = await overview()
  // Data exists for three days; the middle one has no plays.
  expect(usual).toEqual({ plays: 10, listeners: 8 / 3, sign_ups: 0, net_cents: 300 })
  expect(days.at(-2)).toMatchObject({ day: '2026-11-20', plays: 20, net_cents: 900 })
  expect(currency).toBe('usd')
})

test('counts failed tracks, drafts, deletion requests and failed payments, and reports a missing backup', async () => {
  const { db } = app.services
  const [failed, scheduled] = await makeTracks(db, 4, { published: false })
  // This track will be published with its release.
  await sql`
    with release as (
      insert into releases (kind, title, slug, release_at, release_zone)
      values ('single', 'Soon', 'soon', now() + interval '1 day', 'UTC') returning id)
    insert into release_tracks (release_id, track_id, position)
    select id, ${scheduled}, 1 from release`.execute(db.query)
  await db.query
    .updateTable('tracks')
    .set({ processing_status: 'failed' })
    .where('id', '=', failed!)
    .execute()
  await db.query
    .updateTable('profiles')
    .set({ deletion_requested_at: now.toISOString() })
    .where('id', '!=', admin.id)
    .execute()
  await sql`insert into stripe_subscriptions (id, status) values ('sub_1', 'past_due'), ('sub_2', 'active')`.execute(
    db.query,
  )
  const { attention } = await overview()
  expect(attention.backup).toBe('ok')
  await db.query
    .insertInto('tracks')
    .values({ title: 'Old', artist: 'Ada', created_at: '2026-11-14T11:59:00Z' })
    .execute()
  expect((await overview()).attention.backup).toBe('none')
  expect(attention).toMatchObject({
    failed_tracks: 1,
    drafts_ready: 2,
    deletion_requests: 1,
    failed_payments: 1,
  })
  expect(await stepsDone()).toMatchObject({ first_upload: true, publish: false })
})

test('demo tracks complete neither the setup step for uploading nor the one for publishing', async () => {
  const { db } = app.services
  await makeTracks(db, 1)
  expect(await stepsDone()).toMatchObject({ publish: true })
  await sql`insert into demo_steps (step, track_id) select 'track:' || id, id from tracks`.execute(
    db.query,
  )
  expect(await stepsDone()).toMatchObject({ first_upload: false, publish: false })
  await sql`delete from demo_steps`.execute(db.query)
})

test('a backup completes the setup step for backups; a warning appears when the backup is a week old', async () => {
  const backup = (at: string) =>
    sql`insert into backups (created_at, byte_size, object_count) values (${at}, 1, 1)`.execute(
      app.services.db.query,
    )
  await backup('2026-11-01T00:00:00Z')
  expect((await overview()).attention.backup).toBe('old')
  await backup('2026-11-20T00:00:00Z')
  const { attention, last_backup_at } = await overview()
  expect(attention.backup).toBe('ok')
  expect(new Date(last_backup_at ?? '').toISOString()).toBe('2026-11-20T00:00:00.000Z')
  expect(await stepsDone()).toMatchObject({ backup: true })
})

test('saved settings complete the setup step for prices and set the AI disclosure of new uploads', async () => {
  const {
    updated_at: _,
    version: __,
    stripe_webhook_secret: ___,
    ...settings
  } = (await admin.call(getSettings, {})).body
  expect(settings.default_ai_disclosure).toBe('ai_generated')
  await admin.call(updateSettings, {
    body: { action: 'update', settings: { ...settings, default_ai_disclosure: 'human' } },
  })
  expect(await stepsDone()).toMatchObject({ prices: true })
  expect((await admin.call(getSettings, {})).body.default_ai_disclosure).toBe('human')
})

test('the setup step for legal pages links to the first missing page; the Stripe step requires both keys', async () => {
  const current = async (name: string) =>
    (await overview()).setup.steps.find(({ step }) => step === name)
  const missing: (string | null)[] = []
  for (const slug of ['terms', 'privacy', 'contact']) {
    missing.push((await current('legal'))?.current ?? null)
    const page = { title: slug, draft: 'All of it.', is_shown: true }
    expect((await admin.call(saveLegalPage, { params: { slug }, body: page })).status).toBe(200)
    await admin.call(publishLegalPage, { params: { slug }, body: {} })
  }
  expect(missing).toEqual(['terms', 'privacy', 'contact'])
  expect(await current('legal')).toMatchObject({ is_done: true, current: null })
  expect(await current('stripe')).toMatchObject({ is_done: false, current: 'secret_key' })
})

test('the setup checklist can be hidden and shown again, and each change is audited', async () => {
  for (const is_hidden of [true, false]) {
    await admin.call(setSetupHidden, { body: { is_hidden } })
    expect((await overview()).setup.is_hidden).toBe(is_hidden)
  }
  const { data } = (await admin.call(listAuditLog, { query: { entity: 'settings' } })).body
  expect(data[0]?.after).toEqual({ setup_checklist: 'shown' })
})

test('with a Stripe key, the setup checklist requires Stripe prices and the webhook, and amounts use the currency of the prices', async () => {
  const selling = await createTestApp({ stripeSecretKey: 'sk_test_123' })
  const owner = await selling.makePerson({ role: 'admin' })
  const read = async () => {
    const { setup, currency } = (await owner.call(getAdminOverview, {})).body
    const isDone = (name: string) => setup.steps.find(({ step }) => step === name)?.is_done
    return [isDone('prices'), isDone('stripe'), currency]
  }
  const save = (settings: Partial<ReturnType<typeof sellingSettings>>) =>
    owner.call(updateSettings, {
      body: {
        action: 'update',
        settings: { ...sellingSettings('whsec_of_this_test'), ...settings },
      },
    })
  expect(await read()).toEqual([false, false, 'usd'])
  await save({ stripe_webhook_secret: '' })
  expect(await read()).toEqual([true, false, 'usd'])
  await save({})
  await selling.services.db.query.updateTable('settings').set({ currency: 'eur' }).execute()
  expect(await read()).toEqual([true, true, 'eur'])
  await selling.close()
})
