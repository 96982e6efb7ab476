// Upgrades a service with the data of 0103 to webhooks (0107). No row is lost or reported as an event, and writes of
// the previous version beside the new one are recorded.
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../../platform/db/migrate.ts'
import { createDatabaseBeside } from '../../testing/test-database.ts'

const released = join(import.meta.dirname, '../../platform/db/migrations')
const log = { info() {}, warn() {}, error() {} }
const tables = [
  'profiles',
  'tracks',
  'releases',
  'payments',
  'stripe_subscriptions',
  'subscriptions',
]

let folder: string
let client: pg.Client
let connectionString: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-webhooks-'))
  connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
  client = new pg.Client(connectionString)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

/** Statements of the previous version. `n` separates its rows. */
const writes = (n: number) => `
  insert into profiles (id, email, subscription_status) values ('00000000-0000-4000-8000-00000000000${n}', 'p${n}@example.com', 'active');
  insert into subscriptions (user_id, is_manual) values ('00000000-0000-4000-8000-00000000000${n}', false);
  insert into stripe_subscriptions (id, user_id, status) values ('sub_${n}', '00000000-0000-4000-8000-00000000000${n}', 'active');
  update stripe_subscriptions set cancels = true where id = 'sub_${n}';
  insert into payments (user_id, amount_cents, currency, payment_method, paid_at)
  values ('00000000-0000-4000-8000-00000000000${n}', 500, 'usd', 'cash', now());
  insert into tracks (title, artist, processing_status) values ('Track ${n}', 'Ada', 'ready');
  update tracks set is_published = true where title = 'Track ${n}';
  insert into releases (kind, title, slug) values ('single', 'Release ${n}', 'release-${n}');
  update releases set is_published = true where slug = 'release-${n}';
  update profiles set subscription_status = 'inactive' where email = 'p${n}@example.com';`

async function rows(table: string): Promise<Record<string, unknown>[]> {
  const found = await client.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`,
  )
  return found.rows.map(({ row }) => row)
}

test('keeps every row and records nothing of the past', async () => {
  const names = (await readdir(released)).filter((name) => name.endsWith('.sql')).toSorted()
  for (const name of names.filter((one) => one < '0107')) {
    await copyFile(join(released, name), join(folder, name))
  }
  await migrate({ connectionString, log, folder })
  await client.query(writes(1))
  const before = new Map<string, Record<string, unknown>[]>()
  for (const table of tables) before.set(table, await rows(table))
  await copyFile(join(released, '0107_webhooks.sql'), join(folder, '0107_webhooks.sql'))
  expect(await migrate({ connectionString, log, folder })).toEqual(['0107_webhooks.sql'])
  for (const [table, kept] of before) expect(await rows(table)).toEqual(kept)
  expect(await rows('webhook_events')).toEqual([])
})

test('records writes of the previous version', async () => {
  await client.query(writes(2))
  expect(await rows('webhook_events')).toEqual([])
  await client.query(`
    insert into webhook_endpoints (url, event_types, secret_sealed)
    values ('https://hooks.example', '{track.published,release.published,member.joined,subscription.started,subscription.paid,subscription.cancelled,subscription.ended}', 'x')`)
  await client.query(writes(3))
  expect((await rows('webhook_events')).map(({ type }) => String(type)).toSorted()).toEqual([
    'member.joined',
    'release.published',
    'subscription.cancelled',
    'subscription.ended',
    'subscription.paid',
    'subscription.started',
    'track.published',
  ])
})
