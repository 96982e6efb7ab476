// Makes every change that admins can make over HTTP, and checks that it writes the audit entry that its contract
// declares.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { isStaffAccess } from '#contract/access.ts'
import type { AuditCase } from '../../testing/audit/audit-case.ts'
import { auditCases } from '../../testing/audit/audit-cases.ts'
import { createAuditWorld, type AuditWorld } from '../../testing/audit/audit-world.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'

const endpoints = await findContractEndpoints()
let world: AuditWorld

beforeAll(async () => {
  world = await createAuditWorld()
})
afterAll(() => world.close())

/**
 * The audit entries that a contract declares, such as `create track`. Empty for operations that are declared as reading
 * or unaudited.
 */
function declaredEntries({ audit }: Endpoint): string[] {
  if (audit === undefined || audit === 'reads' || 'unaudited' in audit) return []
  return Object.entries(audit).flatMap(([entity, actions]) =>
    (actions as readonly string[]).map((action) => `${action} ${entity}`),
  )
}

/** The possible values of `action` in the request body, if the operation has that field. */
function namedActions({ body }: Endpoint): string[] {
  const options = (body?._zod.def as { options?: { _zod: { def: { shape?: Shape } } }[] })?.options
  return (options ?? []).flatMap(({ _zod }) => _zod.def.shape?.action?._zod.def.values ?? [])
}
interface Shape {
  action?: { _zod: { def: { values?: string[] } } }
}

async function entriesAfter(id: string) {
  return world.app.services.db.query
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'entity', 'entity_id', 'ip_address'])
    .where('id', '>', id)
    .execute()
}

async function newestEntry(): Promise<string> {
  const { rows } = await sql<{ id: string | null }>`
    select max(id::text) as id from audit_log`.execute(world.app.services.db.query)
  return rows[0]?.id ?? '00000000-0000-0000-0000-000000000000'
}

const changing = endpoints.filter(({ endpoint }) => declaredEntries(endpoint).length > 0)

describe('there is a test case', () => {
  test.each(changing)('for each entry that $name declares', ({ endpoint }) => {
    const driven = auditCases.filter((one) => one.endpoint === endpoint).map(({ entry }) => entry)
    expect(driven).toEqual(expect.arrayContaining(declaredEntries(endpoint)))
  })

  test('for each action of operations with an `action` field', async () => {
    const inputs = await Promise.all(
      auditCases
        .filter(({ endpoint }) => namedActions(endpoint).length > 1)
        .map(async ({ endpoint, prepare }) => ({ endpoint, ...(await prepare(world)) })),
    )
    for (const { name, endpoint } of changing) {
      const named = namedActions(endpoint)
      if (named.length < 2) continue
      const own = inputs.filter((one) => one.endpoint === endpoint)
      const driven = own.map(({ input }) => (input as { body: { action: string } }).body.action)
      // The action get_stripe_links reads links from Stripe and stores nothing here, so it needs no test case.
      expect([...driven, 'get_stripe_links'], name).toEqual(expect.arrayContaining(named))
    }
  })
})

test('every admin operation other than GET declares its audit entries', () => {
  const silent = endpoints.filter(
    ({ endpoint }) =>
      isStaffAccess(endpoint.access) && endpoint.method !== 'GET' && endpoint.audit === undefined,
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

describe('writes the declared audit entry', () => {
  test.each(auditCases.filter(({ entry }) => entry !== null))('$entry: $title', async (driven) => {
    const { entries, entity_id } = await runCase(driven)
    const mine = entries.filter(({ action, entity }) => `${action} ${entity}` === driven.entry)
    expect(mine).not.toEqual([])
    expect(mine[0]).toMatchObject({ actor_id: world.admin.id, ip_address: '127.0.0.1' })
    if (entity_id !== undefined) expect(mine.map((entry) => entry.entity_id)).toContain(entity_id)
    const declared = declaredEntries(driven.endpoint)
    for (const { action, entity } of entries) expect(declared).toContain(`${action} ${entity}`)
  })

  test.each(auditCases.filter(({ entry }) => entry === null))(
    'no entry is written when $title only reads',
    async (driven) => {
      expect((await runCase(driven)).entries).toEqual([])
    },
  )
})

async function runCase({ endpoint, prepare }: AuditCase) {
  const { input, entity_id } = await prepare(world)
  const before = await newestEntry()
  const response = await world.admin.call(endpoint, input as never)
  expect([response.code, response.status < 400]).toEqual([undefined, true])
  return { entries: await entriesAfter(before), entity_id }
}
