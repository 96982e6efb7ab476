// Compares the tables and columns of the export format with those of the migrated database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryAt } from '../../platform/db/with-client.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import {
  catalogueDocuments,
  catalogueJsonSchema,
  type ExportedDocument,
  type ExportedTable,
} from './catalogue-format.ts'

/** Tables that are excluded from the export, with the reasons. */
const leftOutTables: Record<string, string> = {
  ...excludeTables(
    'data of people',
    'access_tokens accounts announcement_recipients announcements app_queues app_ratings artist_likes daily_mixes device_keys figure_mail_refusals figure_mails followed_artists idempotency_keys invitations',
    'known_devices likes mail_bounces news_consents news_deliveries news_preferences push_deliveries push_subscriptions refused_addresses tracked_mails',
    'listening_contexts person_notes players playlist_changes playlist_invitations playlist_members plays profiles',
    'rate_limits release_likes sessions sign_up_pages support_messages support_threads terms_consents traffic_counts two_factors user_roles verifications',
  ),
  ...excludeTables(
    'money',
    'billing_events billing_notices failed_payments gifts known_prices money_days payments price_change_members price_changes price_sets receipt_counter receipts referral_links referral_rewards referrals refund_requests royalty_lines royalty_statements stripe_checkouts stripe_closures stripe_refunds stripe_subscriptions stripe_tasks subscriptions used_trials',
  ),
  ...excludeTables(
    'computed from the catalogue',
    'neighbour_updates playlist_summaries renditions share_cards track_categories track_fingerprints track_neighbours track_sounds track_words',
  ),
  ...excludeTables(
    'statistics and records of this service',
    'audit_counts audit_log insight_days insight_state page_days people_counts track_days track_deliveries track_months',
  ),
  ...excludeTables('about people', 'reviews'),
  ...excludeTables('keys to this service, stored as hashes', 'press_links'),
  ...excludeTables('messages of the owner, and who has seen them', 'spot_rules spot_shows spots'),
  ...excludeTables(
    'data sent by this service, and its recipients',
    'news_items push_keys webhook_attempts webhook_deliveries webhook_endpoints webhook_events',
  ),
  ...excludeTables(
    'a state of this service',
    'alert_rounds alerts artist_undos backup_runs backups deletions file_checks import_items imports installation instances',
    'schema_migrations',
    'bounce_settings bounce_state branding feature_switches kept_mails legal_pages legal_versions mail_settings mail_state mail_words settings stripe_connection support_notice setup_state storage_garbage stored_files uploads version_dismissals web_assets',
  ),
  ...excludeTables(
    'the demo',
    'demo_activity demo_insight_days demo_money_days demo_steps demo_track_days',
  ),
}

function excludeTables(reason: string, ...tables: string[]): Record<string, string> {
  return Object.fromEntries(
    tables.flatMap((names) => names.split(' ')).map((name) => [name, reason]),
  )
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const exported = Object.values<ExportedDocument>(catalogueDocuments).flatMap((document) => [
  { own: [] as string[], ...document },
  ...Object.values(document.parts).map((part) => ({ own: [part.parent], ...part })),
]) satisfies (ExportedTable & { table: string; own: string[] })[]

async function columnsOfDatabase(): Promise<Map<string, string[]>> {
  const rows = await queryAt<{ table_name: string; columns: string[] }>(
    database.ownerConnectionString,
    `select table_name, array_agg(column_name::text order by ordinal_position) as columns
       from information_schema.columns where table_schema = 'public' group by table_name`,
  )
  return new Map(rows.map(({ table_name, columns }) => [table_name, columns]))
}

test('every table is exported or excluded with a reason', async () => {
  const tables = [...(await columnsOfDatabase()).keys()]
  const known = [...exported.map(({ table }) => table), ...Object.keys(leftOutTables)]
  expect(tables.toSorted()).toEqual([...new Set(known)].toSorted())
})

test.each(exported)('every column of $table is exported or excluded with a reason', async (one) => {
  const columns = (await columnsOfDatabase()).get(one.table) ?? []
  const known = [...Object.keys(one.columns), ...Object.keys(one.leftOut), ...one.own]
  expect(known.toSorted()).toEqual(columns.toSorted())
})

test('docs/catalogue.schema.json matches the schema of the export format', async () => {
  const path = join(import.meta.dirname, '../../../docs/catalogue.schema.json')
  const described: unknown = JSON.parse(await readFile(path, 'utf8'))
  expect(described).toEqual(catalogueJsonSchema())
})
