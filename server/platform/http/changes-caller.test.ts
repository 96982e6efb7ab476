// Tests that the response of such an operation is sent only after the caches of this instance contain the change.
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { Actor } from '../operations/context.ts'
import { createRoute } from './route.ts'

const shared = { summary: 'A test.', access: 'member', output: z.object({}) } as const
const changing = endpoint({
  ...shared,
  method: 'PATCH',
  path: '/api/changing',
  changesCaller: true,
})
const plain = endpoint({ ...shared, method: 'PATCH', path: '/api/plain' })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each([
  [changing, ['run', 'caught up']],
  [plain, ['run']],
])('$path', async (operation, steps) => {
  const done: string[] = []
  const app = Fastify()
  const route = createRoute(app, {
    db: database.db,
    secretBox: null,
    now: () => new Date(),
    findActor: async () => ({ user_id: 'somebody', role: 'member' }) as Actor,
    isMaintenance: () => false,
    adminsNeedTwoFactor: () => false,
    isConfirmed: async () => true,
    limitToOwner: async (db) => db,
    catchUp: async () => void done.push('caught up'),
    strictOutput: true,
  })
  route(operation, async () => {
    done.push('run')
    return {}
  })
  const { statusCode } = await app.inject({ method: 'PATCH', url: operation.path })
  expect([statusCode, done]).toEqual([200, steps])
  await app.close()
})
