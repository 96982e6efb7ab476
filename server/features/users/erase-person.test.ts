// After a deletion, no column of any table identifies the person.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { deleteUser, updateUser } from '#contract/admin/admin-users.ts'
import { invoiceEvent, subscriptionEvent } from '../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, type StripeApp } from '../../testing/stripe/stripe-app.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

/** Lists every column that can contain text, as `schema.table.column`. */
async function findColumns() {
  const { rows } = await sql<{ schema: string; table: string; column: string }>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE'
       and c.table_schema not in ('pg_catalog', 'information_schema')
       and c.data_type not in ('boolean', 'integer', 'bigint', 'timestamp with time zone')`.execute(
    app.services.db.query,
  )
  return rows
}

async function findPlaces(words: string): Promise<string[]> {
  const places: string[] = []
  for (const { schema, table, column } of await findColumns()) {
    const { rows } = await sql`
      select from ${sql.id(schema, table)}
       where strpos(lower(${sql.ref(column)}::text), ${words}) > 0 limit 1`.execute(
      app.services.db.query,
    )
    if (rows.length > 0) places.push(`${schema}.${table}.${column}`)
  }
  return places
}

test('no column of any table identifies a deleted person; the audit log and the ledger are kept', async () => {
  const member = await app.makePerson()
  const { id, email } = member
  const name = 'aurelia quillfeather'
  const act = (body: Parameters<typeof app.admin.call<typeof runBillingAction>>[1]['body']) =>
    app.admin.call(runBillingAction, { body })
  await app.admin.call(updateUser, { params: { id }, body: { display_name: name } })
  await act({ action: 'update_note', user_id: id, note: `${name} pays at the door` })
  await member.send('POST', '/api/playlists', { body: { title: `Songs of ${name}` } })
  await member.send('POST', '/api/auth/request-password-reset', {
    body: { email, redirectTo: '/auth' },
  })
  const ids = { subscription: 'sub_gone', customer: 'cus_gone', userId: id }
  const created = Math.floor(Date.now() / 1000) - 10
  await app.deliver(subscriptionEvent('created', { ...ids, created }))
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_gone' }))
  expect(await findPlaces(email)).not.toEqual([])
  expect(await findPlaces(name)).not.toEqual([])

  expect((await app.admin.call(deleteUser, { params: { id } })).status).toBe(204)
  expect(await findPlaces(email)).toEqual([])
  expect(await findPlaces(name)).toEqual([])
  expect(await app.ledgerOf(id)).toEqual([['payment', 999]])
  const trail = await app.services.db.query
    .selectFrom('audit_log')
    .select('action')
    .where('entity_id', '=', id)
    .execute()
  expect(trail.map(({ action }) => action)).toContain('delete')
})
