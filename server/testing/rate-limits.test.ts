// Tests every operation with a declared rate limit, for each of its limits: the first call beyond the limit is
// refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import type { DeclaredLimit } from '#contract/rate-limit.ts'
import { limitHeaders } from '../platform/http/openapi/describe-limits.ts'
import { toPathTemplate } from '../platform/http/openapi/openapi-operation.ts'
import type { Responses } from '../platform/http/openapi/operation-responses.ts'
import { listDeclaredLimits, isCallLimit } from '../platform/limits/operation-limits.ts'
import { createAuditWorld, type AuditWorld } from './audit/audit-world.ts'
import { findContractEndpoints } from './contract-endpoints.ts'
import { prepareLimitedCall } from './limited-calls.ts'
import type { ApiDescription } from '../platform/http/openapi/openapi.ts'

const limited = (await findContractEndpoints()).filter(({ endpoint }) => endpoint.rateLimit)
const eachLimit = limited.flatMap((operation) =>
  listDeclaredLimits(operation.endpoint).map((limit) => ({ ...operation, limit })),
)

let world: AuditWorld
let api: ApiDescription
beforeAll(async () => {
  world = await createAuditWorld()
  api = (await world.app.nobody.send('GET', '/api/openapi.json')).body as ApiDescription
})
afterAll(() => world.close())

const counts = () => world.app.services.db.query
const readRows = ({ name }: DeclaredLimit) =>
  counts().selectFrom('rate_limits').select('count').where('key', 'like', `${name}:%`).execute()

test('finds the operations with limits in the contract', () => {
  expect(limited.length).toBeGreaterThan(25)
  const byName = Map.groupBy(eachLimit, ({ limit }) => limit.name)
  for (const [, same] of byName) {
    expect(new Set(same.map(({ limit }) => `${limit.count} in ${limit.seconds} s`)).size).toBe(1)
  }
})

test.each(eachLimit)(
  '$name refuses a call after $limit.count in $limit.seconds s: $limit.name',
  async ({ name, endpoint, limit }) => {
    await counts().deleteFrom('rate_limits').execute()
    const { who, input } = await prepareLimitedCall(world, name, limit)
    await counts().deleteFrom('rate_limits').execute()
    const call = () => who.call(endpoint, input as CallInput<Endpoint>)

    expect((await call()).code).not.toBe('rate_limited')
    expect(await readRows(limit)).toEqual([{ count: 1 }])
    await counts()
      .updateTable('rate_limits')
      .set({ count: limit.count - 1 })
      .where('key', 'like', `${limit.name}:%`)
      .execute()
    const last = await call()
    expect(last.code).not.toBe('rate_limited')
    const refused = await call()
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(limit.seconds - 60)
    expect(seconds).toBeLessThanOrEqual(limit.seconds)

    const headers = ['limit', 'remaining', 'reset'].map((part) => `ratelimit-${part}`)
    const valuesOf = (response: typeof last) =>
      headers.map((header) => response.headers.get(header))
    if (isCallLimit(limit)) {
      expect(valuesOf(last)).toEqual([String(limit.count), '0', expect.any(String)])
      expect(valuesOf(refused)).toEqual([String(limit.count), '0', String(seconds)])
    } else if (!limitHeaders(endpoint)) {
      expect([...valuesOf(last), ...valuesOf(refused)].filter(Boolean)).toEqual([])
    }
  },
)

test.each(limited)('the API page states the limits of $name', ({ endpoint }) => {
  const operation = api.paths[toPathTemplate(endpoint.path)]?.[endpoint.method.toLowerCase()]
  const refusal = operation?.responses[String(errors.rate_limited[0])] as Responses[string]
  expect(refusal?.headers).toHaveProperty('Retry-After')
  for (const { name, count } of listDeclaredLimits(endpoint)) {
    expect(refusal?.description).toMatch(new RegExp(`\`${name}\`: at most ${count} [a-z].* in \\d`))
  }
  const success = Object.entries(operation?.responses ?? {}).filter(([status]) => status < '400')
  const hasHeaders = listDeclaredLimits(endpoint).some(isCallLimit)
  for (const [, { headers = {} }] of success as [string, Responses[string]][]) {
    expect(Object.hasOwn(headers, 'RateLimit-Remaining')).toBe(hasHeaders)
  }
})

test('does not limit admins where the contract exempts them', async () => {
  const excepted = eachLimit.filter(({ limit }) => isCallLimit(limit) && limit.exceptAdmins)
  expect(excepted.length).toBeGreaterThan(1)
  for (const { name, endpoint, limit } of excepted) {
    await counts().deleteFrom('rate_limits').execute()
    const { input } = await prepareLimitedCall(world, name, limit)
    const response = await world.admin.call(endpoint, input as CallInput<Endpoint>)
    expect(response.code).not.toBe('rate_limited')
    expect(await readRows(limit)).toEqual([])
    expect(response.headers.get('ratelimit-limit')).toBeNull()
  }
})
