// Tests admin operations on users, billing, settings, genres and the audit log.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAuditLog, listAuditLog } from '#contract/admin/admin-audit.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { createGenre, deleteGenre, updateGenre } from '#contract/admin/admin-genres.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import {
  banUser,
  createAdminUser,
  deleteUser,
  exportUsers,
  listUsers,
  updateUserRole,
  updateUserSubscription,
} from '#contract/admin/admin-users.ts'
import { expireSubscriptions } from '../billing/expire-subscriptions.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['makePerson']>>

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})

afterAll(() => app.close())

async function entries(query: Record<string, string>) {
  return (await admin.call(listAuditLog, { query })).body.data
}

test('an account created by an admin can sign in, and is listed and audited', async () => {
  const email = 'made@example.com'
  const made = await admin.call(createAdminUser, {
    body: { email: 'Made@Example.com', password: 'a-long-password', display_name: '=1+1' },
  })
  expect(made).toMatchObject({
    status: 201,
    body: { email, role: 'member', subscription_tier: 'free' },
  })
  const twice = await admin.call(createAdminUser, { body: { email, password: 'a-long-password' } })
  expect(twice.code).toBe('email_exists')
  const found = await admin.call(listUsers, { query: { q: 'MADE@' } })
  expect(found.body.data.map((user) => user.id)).toEqual([made.body.id])
  const [entry] = await entries({ entity: 'user', action: 'create' })
  expect(entry).toMatchObject({ actor_id: admin.id, entity_id: made.body.id })
  // The audit log stores neither the address nor the password. The list of audit entries reads the name from the
  // profile.
  expect(JSON.stringify([entry?.before, entry?.after])).not.toMatch(/example\.com|a-long-password/)
})

test("requires 12 characters for an admin's password, and rejects common passwords for everyone", async () => {
  const make = (role: 'admin' | 'member', password: string) =>
    admin.call(createAdminUser, { body: { email: `${role}@example.com`, password, role } })
  expect((await make('admin', 'eleven char')).code).toBe('admin_password_too_short')
  expect((await make('admin', 'password1234')).code).toBe('password_too_common')
  expect((await make('member', 'password')).code).toBe('password_too_common')
  expect((await make('member', 'eleven char')).status).toBe(201)
  expect((await make('admin', 'twelve chars')).status).toBe(201)
})

test('the CSV of people has the time in its file name and is safe for spreadsheets', async () => {
  const answer = await admin.send('GET', exportUsers.path)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="users-export-\d+\.csv"$/,
  )
  const lines = String(answer.body).trim().split('\n')
  expect(lines[0]).toBe(
    'id,email,display_name,role,subscription_tier,subscription_status,created_at',
  )
  expect(lines.find((line) => line.includes('made@example.com'))).toContain(",'=1+1,")
})

test("setting a person's tier also sets the subscription status", async () => {
  const person = await app.makePerson()
  for (const [subscription_tier, status] of [
    ['yearly', 'active'],
    ['comped', 'active'],
    ['free', 'inactive'],
  ] as const) {
    const changed = await admin.call(updateUserSubscription, {
      params: { id: person.id },
      body: { subscription_tier },
    })
    expect(changed.body.subscription_status).toBe(status)
  }
})

test("rejects an admin's change, ban or deletion of their own account", async () => {
  for (const id of [admin.id, admin.id.toUpperCase()]) {
    const params = { id }
    for (const role of ['member', 'banned', 'admin'] as const) {
      const refused = await admin.call(updateUserRole, { params, body: { role } })
      expect([refused.code, refused.status]).toEqual(['own_account', 409])
    }
    expect((await admin.call(banUser, { params })).code).toBe('own_account')
    expect((await admin.call(deleteUser, { params })).code).toBe('own_account')
  }
  expect((await admin.call(listUsers, { query: { q: admin.email } })).body.data).toMatchObject([
    { role: 'admin' },
  ])
})

test("a ban takes effect on the person's next request, in 30 rounds", async () => {
  for (let i = 0; i < 30; i++) {
    const person = await app.makePerson()
    expect((await person.send('GET', '/api/tracks')).status).toBe(200)
    await admin.call(banUser, { params: { id: person.id } })
    expect((await person.send('GET', '/api/tracks')).code).toBe('unauthenticated')
  }
})

test("shows a banned person's role as 'banned' and ends the session; lifting the ban restores the role", async () => {
  const person = await app.makePerson({ role: 'editor' })
  const params = { id: person.id }
  const banned = await admin.call(updateUserRole, { params, body: { role: 'banned' } })
  expect(banned.body.role).toBe('banned')
  await expect.poll(async () => (await person.send('GET', '/api/tracks')).status).toBe(401)
  const back = await admin.send('POST', `/api/admin-users/${person.id}/unban`)
  expect(back.body).toMatchObject({ role: 'editor' })
})

test('deleting a person removes all personal data, and keeps the audit log', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  await person.send('POST', '/api/playlists', { body: { title: 'Mine' } })
  expect((await admin.call(deleteUser, { params: { id: person.id } })).status).toBe(204)
  const { db } = app.services
  for (const [table, column] of [
    ['profiles', 'id'],
    ['playlists', 'created_by'],
    ['sessions', 'user_id'],
    ['accounts', 'user_id'],
  ] as const) {
    const { rows } = await sql`
      select from ${sql.table(table)} where ${sql.ref(column)} = ${person.id}`.execute(db.query)
    expect(rows, table).toEqual([])
  }
  expect(await entries({ entity: 'user', action: 'delete' })).toMatchObject([
    { entity_id: person.id },
  ])
})

test.each([
  "update audit_log set action = 'x'",
  'delete from audit_log',
  'truncate audit_log',
  'select id from audit_log for update',
  'alter table audit_log disable trigger all',
  'alter table audit_log add column note text',
  'alter table audit_log owner to velour_app',
  'drop trigger audit_log_append_only on audit_log',
  'drop table audit_log',
  'drop table audit_log cascade',
  'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'create trigger mine before insert on audit_log for each row execute function close_playlist_gaps()',
  'create rule mine as on insert to audit_log do instead nothing',
  "set session_replication_role = 'replica'",
  'set role velour',
  'set session authorization velour',
  'create temporary table audit_log (id uuid)',
  'create table public.other (id uuid)',
  'delete from schema_migrations',
])("the server's database role cannot run: %s", async (statement) => {
  const refused = /must be owner|permission denied|cannot be changed/
  await expect(sql.raw(statement).execute(app.services.db.query)).rejects.toThrow(refused)
})

test('the CSV of the audit log applies the filters of the list', async () => {
  const answer = await admin.send('GET', `${exportAuditLog.path}?action=ban`)
  expect(answer.headers.get('content-disposition')).toMatch(/filename="audit-log-\d+\.csv"/)
  const lines = String(answer.body).trim().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.slice(1).every((line) => line.includes(',ban,user,'))).toBe(true)
})

test('creates a manual subscription, saves a note, and ends the subscription at its end date', async () => {
  const person = await app.makePerson()
  const act = (body: Parameters<typeof admin.call<typeof runBillingAction>>[1]['body']) =>
    admin.call(runBillingAction, { body })
  const made = await act({
    action: 'manual_update_subscription',
    user_id: person.id,
    tier: 'Premium',
    status: 'Active',
    payment_method: 'CashApp',
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    notes: 'Paid at the door',
  } as never)
  expect(made.body.subscription).toMatchObject({
    tier: 'premium',
    status: 'active',
    payment_method: 'cashapp',
    is_manual: true,
    notes: 'Paid at the door',
    renewal_date: '2026-01-31T23:59:59.999Z',
  })
  const reversed = await act({
    action: 'manual_update_subscription',
    user_id: person.id,
    tier: 'premium',
    status: 'active',
    payment_method: 'cash',
    start_date: '2026-02-02',
    end_date: '2026-02-01',
  } as never)
  expect(reversed.code).toBe('invalid_period')
  await act({ action: 'update_note', user_id: person.id, note: '' })
  await expireSubscriptions(app.services.db, new Date('2026-02-01T00:00:00Z'))
  const list = await act({ action: 'list_subscriptions', q: person.email })
  expect(list.body.subscriptions).toMatchObject([
    { status: 'inactive', tier: 'premium', notes: null },
  ])
  expect(list.body.summary?.total_users).toBeGreaterThan(1)
})

test("stores Stripe's webhook secret encrypted, shows it masked, and keeps it when the masked value is saved", async () => {
  const { updated_at: _, ...before } = (await admin.call(getSettings, {})).body
  const secret = 'whsec_0123456789abcd'
  const save = (stripe_webhook_secret: string) =>
    admin.call(updateSettings, {
      body: { action: 'update', settings: { ...before, stripe_webhook_secret } },
    })
  const saved = await save(secret)
  expect(saved.body.stripe_webhook_secret).toBe('••••••••abcd')
  expect((await save(saved.body.stripe_webhook_secret)).body.stripe_webhook_secret).toBe(
    '••••••••abcd',
  )
  const { db, secretBox } = app.services
  const row = await db.query.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
  expect(row.stripe_webhook_secret).not.toContain('abcd')
  expect(secretBox.open(row.stripe_webhook_secret)).toBe(secret)
  const [second, first] = await entries({ entity: 'settings' })
  expect(first).toMatchObject({
    actor_id: admin.id,
    entity_id: '1',
    after: { stripe_webhook_secret: 'changed' },
  })
  expect(second?.after).not.toHaveProperty('stripe_webhook_secret')
  expect(JSON.stringify([first, second])).not.toMatch(/0123456789|abcd/)
})

test('maintenance mode blocks everyone except admins immediately', async () => {
  const person = await app.makePerson()
  const {
    updated_at: _,
    stripe_webhook_secret: __,
    ...before
  } = (await admin.call(getSettings, {})).body
  const save = (maintenance_mode: boolean) =>
    admin.call(updateSettings, {
      body: { action: 'update', settings: { ...before, maintenance_mode } },
    })
  await save(true)
  const out = await person.send('GET', '/api/tracks')
  expect([out.status, out.code, out.headers.get('retry-after')]).toEqual([503, 'maintenance', '60'])
  expect((await admin.send('GET', '/api/tracks')).status).toBe(200)
  expect((await app.nobody.send('GET', '/healthz')).status).toBe(200)
  await save(false)
  expect((await person.send('GET', '/api/tracks')).status).toBe(200)
})

test('renames a genre in all tracks, and deletes a genre only if no track uses it', async () => {
  const genre = (await admin.call(createGenre, { body: { name: 'Dub' } })).body
  expect((await admin.call(createGenre, { body: { name: 'DUB' } })).code).toBe('genre_exists')
  const tracks = await app.services.db.query
    .insertInto('tracks')
    .values([
      { title: 'T', artist: 'A', genre: 'Dub', source_key: 'uploads/dub.wav' },
      { title: 'Without a file', artist: 'A', genre: 'Dub' },
      { title: 'Of no genre', artist: 'A', source_key: 'uploads/other.wav' },
    ])
    .returning('id')
    .execute()
  const params = { id: genre.id }
  expect((await admin.call(deleteGenre, { params })).code).toBe('genre_in_use')
  const renamed = await admin.call(updateGenre, { params, body: { name: 'Deep Dub' } })
  expect(renamed.body).toMatchObject({ name: 'Deep Dub', track_count: 2 })
  // A job is queued that changes the genre in the files' tags.
  const { rows } = await sql<{ data: unknown }>`
    select data from jobs.job where name = 'retag-track'`.execute(app.services.db.query)
  expect(rows).toEqual([{ data: { track_id: tracks[0]!.id } }])
})
