// Migrates a database with rows to 0107, which adds webhooks. No row is changed or recorded as an event. Writes by the
// previous version, which may still run after the migration, are recorded.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'

const tables = [
  'profiles',
  'tracks',
  'releases',
  'payments',
  'stripe_subscriptions',
  'subscriptions',
]

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

/** Returns SQL statements as the previous version sends them. `n` makes their rows unique. */
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

test('keeps every row, and records no events for earlier changes', async () => {
  await older.migrateTo('0106')
  await older.client.query(writes(1))
  const before = new Map<string, Record<string, unknown>[]>()
  for (const table of tables) before.set(table, await older.readRows(table))
  expect(await older.migrateTo('0107')).toEqual(['0107_webhooks.sql'])
  for (const [table, kept] of before) expect(await older.readRows(table)).toEqual(kept)
  expect(await older.readRows('webhook_events')).toEqual([])
})

test('records events for writes by the previous version once there is an endpoint', async () => {
  await older.client.query(writes(2))
  expect(await older.readRows('webhook_events')).toEqual([])
  await older.client.query(`
    insert into webhook_endpoints (url, event_types, secret_sealed)
    values ('https://hooks.example', '{track.published,release.published,member.joined,subscription.started,subscription.paid,subscription.cancelled,subscription.ended}', 'x')`)
  await older.client.query(writes(3))
  expect(
    (await older.readRows('webhook_events')).map(({ type }) => String(type)).toSorted(),
  ).toEqual([
    'member.joined',
    'release.published',
    'subscription.cancelled',
    'subscription.ended',
    'subscription.paid',
    'subscription.started',
    'track.published',
  ])
})
