// Tests admin operations that lack their audit entry, over HTTP with a real PostgreSQL.
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { transaction, type Transaction } from '../db/database.ts'
import type { MemberContext } from '../operations/context.ts'
import { createRoute, type Route } from '../http/route.ts'
import { createFeatureApp, type FeatureApp, type Person } from '../../testing/feature-app.ts'
import { withoutAudit } from './audited-database.ts'
import { writeAudit } from './write-audit.ts'

type Act = (ctx: MemberContext) => Promise<unknown>

const acts = new Map<string, Act>()
let app: FeatureApp
let admin: Person

const created = endpoint({
  method: 'POST',
  path: '/api/test-created',
  summary: 'Declares that a genre is created.',
  access: 'admin',
  audit: { genre: ['create'] },
})
const reading = endpoint({
  method: 'POST',
  path: '/api/test-reading',
  summary: 'Declares that it reads.',
  access: 'admin',
  audit: 'reads',
})
const got = endpoint({
  method: 'GET',
  path: '/api/test-got',
  summary: 'Reads by its method.',
  access: 'admin',
})
const unaudited = endpoint({
  method: 'POST',
  path: '/api/test-unaudited',
  summary: 'Declares that it needs no entry.',
  access: 'admin',
  audit: { unaudited: 'A test.' },
})
const forAnyone = endpoint({
  method: 'POST',
  path: '/api/test-anyone',
  summary: 'Open, and audited where an admin calls it.',
  access: 'anyone',
  audit: { genre: ['create'] },
})

const operations = { created, reading, got, unaudited, forAnyone }

beforeAll(async () => {
  app = await createFeatureApp((route) => {
    for (const operation of Object.values(operations)) {
      route(operation, async (ctx) => {
        await acts.get(operation.path)?.(ctx as MemberContext)
      })
    }
  })
  admin = await app.makePerson({ admin: true })
})
afterAll(() => app.close())

let names = 0
/**
 * Calls an operation that creates a genre. Returns whether the genre exists afterwards, and the status of the
 * response.
 */
async function run(
  operation: (typeof operations)[keyof typeof operations],
  act: (ctx: MemberContext, name: string) => Promise<unknown>,
  who: Pick<Person, 'send'> = admin,
) {
  const name = `Genre ${++names}`
  acts.set(operation.path, (ctx) => act(ctx, name))
  const { status, code } = await who.send(operation.method, operation.path)
  const kept = await app.db.query
    .selectFrom('genres')
    .select('id')
    .where('name', '=', name)
    .execute()
  return { status, code, isKept: kept.length > 0 }
}

const insert = (trx: Transaction, name: string) =>
  trx.query.insertInto('genres').values({ name }).execute()
const inTransaction =
  (work: (trx: Transaction, name: string, ctx: MemberContext) => Promise<unknown>) =>
  (ctx: MemberContext, name: string) =>
    transaction(ctx.db, (trx) => work(trx, name, ctx))
const entry = { action: 'create', entity: 'genre' } as const

const committed = { status: 204, code: undefined, isKept: true }
const rolledBack = { status: 500, code: 'internal', isKept: false }

test('a change is committed together with the entry that the contract declares', async () => {
  const act = inTransaction(async (trx, name, ctx) => {
    await insert(trx, name)
    await writeAudit(ctx, trx, entry)
  })
  expect(await run(created, act)).toEqual(committed)
})

describe('a change without its entry is rolled back', () => {
  test.each<[string, (trx: Transaction, name: string) => Promise<unknown>]>([
    ['by an insert', insert],
    [
      'by raw SQL',
      (trx, name) => sql`insert into genres (name) values (${name})`.execute(trx.query),
    ],
    [
      'inside of a select',
      (trx, name) =>
        sql`with made as (insert into genres (name) values (${name}) returning id)
            select id from made`.execute(trx.query),
    ],
    ['by an update', (trx) => sql`update genres set name = name`.execute(trx.query)],
    ['by a delete', (trx) => trx.query.deleteFrom('genres').execute()],
  ])('%s', async (_how, change) => {
    await app.db.query
      .insertInto('genres')
      .values({ name: `Before ${++names}` })
      .execute()
    expect(await run(created, inTransaction(change))).toEqual(rolledBack)
  })

  test('with an entry that is not declared by the contract', async () => {
    const act = inTransaction(async (trx, name, ctx) => {
      await insert(trx, name)
      await writeAudit(ctx, trx, { action: 'delete', entity: 'genre' })
    })
    expect(await run(created, act)).toEqual(rolledBack)
  })

  test('in a second transaction, even if the first one wrote its entry', async () => {
    const act = async (ctx: MemberContext, name: string) => {
      await transaction(ctx.db, (trx) => writeAudit(ctx, trx, entry))
      await transaction(ctx.db, (trx) => insert(trx, name))
    }
    expect(await run(created, act)).toEqual(rolledBack)
  })

  test('in an operation declared as read-only', async () => {
    expect(await run(reading, inTransaction(insert))).toEqual(rolledBack)
    expect(await run(got, inTransaction(insert))).toEqual(rolledBack)
  })

  test('in an operation open to anyone, when an admin calls it', async () => {
    expect(await run(forAnyone, inTransaction(insert))).toEqual(rolledBack)
    expect(await run(forAnyone, inTransaction(insert), app.signedOut)).toEqual(committed)
  })
})

test('a change outside a transaction is refused', async () => {
  const direct = (ctx: MemberContext, name: string) =>
    ctx.db.query.insertInto('genres').values({ name }).execute()
  const raw = (ctx: MemberContext, name: string) =>
    sql`insert into genres (name) values (${name})`.execute(ctx.db.query)
  expect(await run(created, direct)).toEqual(rolledBack)
  expect(await run(got, raw)).toEqual(rolledBack)
})

test('reads, locks and statements that change no row need no entry', async () => {
  const act = inTransaction(async (trx) => {
    await trx.query.selectFrom('genres').select('id').forUpdate().execute()
    await sql`select id from genres for no key update`.execute(trx.query)
    await trx.query.deleteFrom('genres').where('name', '=', 'Nobody has it').execute()
  })
  expect(await run(created, act)).toMatchObject({ status: 204 })
  expect(await run(got, act)).toMatchObject({ status: 204 })
})

test('unaudited operations and housekeeping are committed without an entry', async () => {
  expect(await run(unaudited, inTransaction(insert))).toEqual(committed)
  const act = (ctx: MemberContext, name: string) =>
    transaction(withoutAudit(ctx.db), (trx) => insert(trx, name))
  expect(await run(created, act)).toEqual(committed)
})

test('a server does not start if an operation has no declaration', () => {
  const { audit: _, ...silent } = created
  const route: Route = createRoute(Fastify(), {
    db: app.db,
    secretBox: null,
    now: () => new Date(),
    findActor: async () => null,
    isMaintenance: () => false,
    adminsNeedTwoFactor: () => false,
    isConfirmed: async () => true,
    limitToOwner: async (db) => db,
    strictOutput: true,
  })
  expect(() => route(silent, async () => {})).toThrow('declares no audit entry')
})
