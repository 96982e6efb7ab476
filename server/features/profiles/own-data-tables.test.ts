// Tests that every table with rows about people is either in the data export or listed here with the reason why it is
// not.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadMyData } from '#contract/profiles.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const leftOut: Record<string, string> = {
  accounts: 'the password hash',
  announcement_recipients: 'sent emails are in tracked_mails',
  announcements: 'created by admins',
  billing_events: 'event ids; their effects are exported',
  deletions: 'rows that are deleted within a minute',
  demo_activity: 'demo data',
  figure_mail_refusals: 'whether an admin gets the weekly statistics',
  figure_mails: 'sent emails are in tracked_mails',
  idempotency_keys: 'responses to requests, deleted after a day',
  imports: 'created by editors',
  invitations: 'sent by admins; the address belongs to someone else',
  news_deliveries: 'sent emails are in tracked_mails',
  person_notes: "admins' notes about a person",
  players: 'the tab that is playing now',
  playlist_changes: 'undo data of playlists, whose state is exported',
  price_sets: 'created by admins',
  stripe_checkouts: 'an open payment page, which expires after a day',
  track_deliveries: 'which bytes were sent; listening is in plays',
  two_factors: 'a secret',
  uploads: 'files being uploaded',
  webhook_events: "messages to the owner's programs, deleted after days",
  audit_log: "the service's record, kept for the owner",
}

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Lists the tables with a column that references a person. */
async function readTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
     where a.attnum > 0 and not a.attisdropped
       and (a.attname ~ '(^|_)(user|buyer|friend|referrer|actor)_id$'
            or exists (select from pg_constraint k
                        where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey)
                          and k.confrelid = 'profiles'::regclass))
     order by 1`.execute(app.services.db.query)
  return rows.map(({ name }) => name)
}

/** Lists the tables that the export reads. */
async function readExported(): Promise<Set<string>> {
  const sources = await Promise.all(
    ['own-data.ts', 'own-rows.ts'].map((file) => readFile(join(import.meta.dirname, file), 'utf8')),
  )
  const names = sources.join('\n').matchAll(/(?:\bfrom |\bjoin |selectFrom\('|Join\(')(\w+)/g)
  return new Set([...names].map(([, name = '']) => name))
}

test('every table with rows about people is exported or listed here as left out', async () => {
  const [tables, exported] = [await readTables(), await readExported()]
  expect(tables.length).toBeGreaterThan(40)
  expect(tables.filter((name) => !exported.has(name) && !(name in leftOut))).toEqual([])
  // The list has no outdated entries, which would hide a future table with the same name.
  expect(
    Object.keys(leftOut).filter((name) => !tables.includes(name) || exported.has(name)),
  ).toEqual([])
})

test("the export includes the member's gifts, messages and referrals, and identifies nobody else", async () => {
  const [ada, ben] = [await app.makePerson(), await app.makePerson()]
  await sql`
    insert into gifts (buyer_id, redeemed_by, redeemed_at, paid_at, code_hash, code_sealed, months, amount_cents,
                       currency, from_name)
    values (${ada.id}, ${ben.id}, now(), now(), ${'a'.repeat(64)}, 'sealed code', 3, 2997, 'usd', 'Ada')`.execute(
    app.services.db.query,
  )
  await sql`
    insert into referrals (referrer_id, friend_id, address_hash, months)
    values (${ada.id}, ${ben.id}, ${'b'.repeat(64)}, 1)`.execute(app.services.db.query)
  const { status, body } = await ada.call(downloadMyData, {})
  expect(status).toBe(200)
  expect(body).toMatchObject({
    gifts_bought: [{ months: 3, amount_cents: 2997 }],
    gifts_redeemed: [],
    friends_who_joined: [{ months: 1, state: 'joined' }],
    joined_with_a_link: [],
  })
  const text = JSON.stringify(body)
  for (const hidden of [ben.id, ben.email, 'sealed code']) expect(text).not.toContain(hidden)
  expect((await ben.call(downloadMyData, {})).body).toMatchObject({
    gifts_redeemed: [{ from_name: 'Ada' }],
    joined_with_a_link: [{ months: 1 }],
  })
})
