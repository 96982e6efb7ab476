// Tests every text cell of every CSV with texts that a spreadsheet would execute, or that must be quoted in CSV.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

/** The last four are the full-width forms that Chinese and Japanese keyboards produce. */
const dangerous = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']
/** Texts that must be the same after they were written to CSV and parsed again. */
const harmless = ['a"b""c', 'a,b', 'two\nlines', 'two\r\nlines', " '=quoted", 'a=1', '"=1+1"']

const values = [...dangerous.map((character) => `${character}cmd|' /c calc'!a0`), ...harmless]
const escaped = (value: string) => (dangerous.includes(value[0]!) ? `'${value}` : value)

let app: TestApp
let admin: Person
const today = new Date().toISOString().slice(0, 10)
const insights = (what: string) =>
  `/api/admin-insights/export.csv?start=${today}&end=${today}&what=${what}`

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  await insertStatement()
  for (const value of values) await insertEverywhere(value)
})
afterAll(() => app.close())

/** Inserts a closed month of royalties. The names of its artists are inserted later, with the other texts. */
async function insertStatement(): Promise<void> {
  await app.services.db.query
    .insertInto('royalty_statements')
    .values({ month: '2026-01-01', currency: 'usd', net_cents: 0, owner_cents: 0, paying: 1 })
    .execute()
}

/** Writes the text to every column from which a CSV contains text, bypassing the validation of the operations. */
async function insertEverywhere(text: string): Promise<void> {
  const { query } = app.services.db
  const person = await query
    .insertInto('profiles')
    .values({ email: text, display_name: text })
    .returning('id')
    .executeTakeFirstOrThrow()
  const track = await query
    .insertInto('tracks')
    .values({ title: text, artist: text, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('track_days')
    .values({
      day: today,
      track_id: track.id,
      plays: 1,
      starts: 1,
      previews: 0,
      completed: 0,
      heard_seconds: 0,
      left_at: Array<number>(21).fill(0),
    })
    .execute()
  await query
    .insertInto('royalty_lines')
    .values({
      month: '2026-01-01',
      currency: 'usd',
      artist_id: randomUUID(),
      name: text,
      minutes: 1,
      listeners: 1,
      amount_cents: 0,
    })
    .execute()
  const ids = [{ stripe_invoice_id: text }, { stripe_charge_id: text, kind: 'refund' as const }]
  for (const [index, id] of ids.entries()) {
    await query
      .insertInto('payments')
      .values({
        user_id: person.id,
        amount_cents: index === 0 ? 100 : -100,
        currency: 'usd',
        payment_method: 'stripe',
        paid_at: new Date().toISOString(),
        ...id,
      })
      .execute()
  }
  await query
    .insertInto('audit_log')
    .values([
      { actor_id: person.id, action: text, entity: text, entity_id: text },
      { actor_id: person.id, action: 'update', entity: 'track', entity_id: track.id },
    ])
    .execute()
}

/** Parses RFC 4180. Returns the column names, and each row as an object. */
async function readCsv(
  path: string,
): Promise<{ columns: string[]; rows: Record<string, string>[] }> {
  const response = await fetch(app.url + path, { headers: { cookie: admin.cookie } })
  expect(response.status).toBe(200)
  const text = await response.text()
  const lines: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n|$)/g,
  )) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\n') lines.push([])
  }
  const [columns = [], ...rows] = lines.filter((line) => line.length > 1)
  expect(rows.map((row) => row.length)).toEqual(rows.map(() => columns.length))
  const named = rows.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i]!, cell])))
  return { columns, rows: named }
}

/** Every CSV, with those of its columns that contain text from people or other services. */
const exports: [path: string, textColumns: string[]][] = [
  ['/api/admin-users/export.csv', ['email', 'display_name']],
  [
    '/api/admin-audit-log/export.csv',
    ['action', 'entity', 'entity_id', 'actor_email', 'actor_name', 'entity_name'],
  ],
  [insights('tracks'), ['title', 'artist']],
  [insights('ledger'), ['email', 'invoice', 'refunded_charge', 'name']],
  [insights('days'), []],
  ['/api/admin-royalties/export.csv?month=2026-01&currency=usd', ['artist']],
]

test('the list above contains every CSV of the contract', async () => {
  const inContract = (await findContractEndpoints())
    .filter(({ endpoint }) => endpoint.produces === 'text/csv')
    .map(({ endpoint }) => endpoint.path)
  const lookedAt = exports.map(([path]) => path.split('?')[0])
  expect(lookedAt).toEqual(expect.arrayContaining(inContract))
})

describe.each(exports)('%s', (path, textColumns) => {
  test.each(textColumns)('%s is safe in a spreadsheet and otherwise unchanged', async (column) => {
    const cells = (await readCsv(path)).rows.map((row) => row[column])
    for (const value of values) expect(cells).toContain(escaped(value))
  })

  test('no cell of any column starts like a formula', async () => {
    const { rows } = await readCsv(path)
    expect(rows.length).toBeGreaterThan(0)
    const risky = rows.flatMap((row) =>
      Object.entries(row).filter(
        ([, cell]) => dangerous.includes(cell[0] ?? '') && !/^-?\d+(\.\d+)?$/.test(cell),
      ),
    )
    expect(risky).toEqual([])
  })
})
