// For tests of selected features: serves them over HTTP with a separate database. A header names the caller, so no
// sign-in is needed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import type { CallInput, Endpoint, Output } from '#contract/endpoint.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { Actor } from '../platform/operations/context.ts'
import { handleErrors } from '../platform/http/error-handler.ts'
import { createRoute, type Route } from '../platform/http/route.ts'
import type { Database } from '../platform/db/database.ts'
import { openEventBus, type EventBus } from '../platform/events/event-bus.ts'
import { limitToOwner } from '../features/ownership/limit-to-owner.ts'
import type { PictureServices } from '../features/pictures/store-picture.ts'
import { openDiskStorage } from '../platform/storage/disk-storage.ts'
import { createTestDatabase } from './test-database.ts'

export interface TestResponse<Body> {
  status: number
  /** The response body. Throws if the response is an error. */
  readonly body: Body
  /** The error code, if any. */
  code: string | undefined
}

type Method = Endpoint['method']

/** A person with an account. */
export interface Person {
  id: string
  /** Calls an operation of the contract as this person. */
  call: <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<TestResponse<Output<E>>>
  /** Sends any request, including requests that the contract refuses. */
  send: (method: Method, url: string, body?: object) => Promise<TestResponse<unknown>>
  /** Grants or revokes Premium. */
  setPremium: (isPremium: boolean) => Promise<void>
}

export interface FeatureApp {
  db: Database
  /** Runs statements as the owner of the tables. */
  asOwner: (sql: string) => Promise<void>
  makePerson: (options?: { premium?: boolean; admin?: boolean }) => Promise<Person>
  /** A visitor without a session. */
  signedOut: Pick<Person, 'call' | 'send'>
  close: () => Promise<void>
}

const actorHeader = 'x-test-actor'

/** Creates the app. Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createFeatureApp(
  register: (
    route: Route,
    services: { db: Database; bus: EventBus; pictures: PictureServices },
  ) => void,
): Promise<FeatureApp> {
  const { db, connectionString, asOwner, drop } = await createTestDatabase()
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024 })
  handleErrors(app)
  const route = createRoute(app, {
    db,
    secretBox: null,
    now: () => new Date(),
    findActor: async (request) => {
      const id = request.headers[actorHeader]
      return typeof id === 'string' ? loadActor(db, id) : null
    },
    isMaintenance: () => false,
    adminsNeedTwoFactor: () => false,
    isConfirmed: async () => true,
    limitToOwner,
    strictOutput: true,
  })
  const folder = await mkdtemp(join(tmpdir(), 'velour-test-storage-'))
  const bus = await openEventBus({ connectionString, log: app.log })
  register(route, { db, bus, pictures: { db, storage: await openDiskStorage(folder) } })
  await app.ready()

  const createCaller = (userId: string | null): Pick<Person, 'call' | 'send'> => {
    const send: Person['send'] = async (method, url, body) => {
      const headers = userId ? { [actorHeader]: userId } : {}
      const response = await app.inject({ method, url, headers, ...(body && { payload: body }) })
      return readResponse(response.statusCode, response.body)
    }
    return {
      send,
      call: (endpoint, input) => {
        const { params, query, body } = input as Parts
        const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params?.[name]))
        const search = new URLSearchParams(query as Record<string, string>)
        // The route has already encoded the body according to the contract.
        return send(endpoint.method, `${path}?${search.toString()}`, body) as Promise<
          TestResponse<never>
        >
      },
    }
  }
  let people = 0
  return {
    db,
    asOwner,
    signedOut: createCaller(null),
    async makePerson({ premium = false, admin = false } = {}) {
      const { id } = await db.query
        .insertInto('profiles')
        .values({
          email: `person-${++people}@velour.test`,
          subscription_status: premium ? 'active' : 'inactive',
          subscription_tier: premium ? 'premium' : 'free',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (admin) {
        await db.query
          .updateTable('user_roles')
          .set({ role: 'admin' })
          .where('user_id', '=', id)
          .execute()
      }
      const setPremium = async (isPremium: boolean) => {
        await db.query
          .updateTable('profiles')
          .set({ subscription_status: isPremium ? 'active' : 'inactive' })
          .where('id', '=', id)
          .execute()
      }
      return { id, ...createCaller(id), setPremium }
    },
    async close() {
      await app.close()
      await bus.close()
      await drop()
      await rm(folder, { recursive: true })
    },
  }
}

interface Parts {
  params?: Record<string, unknown>
  query?: object
  body?: object
}

function readResponse(status: number, text: string): TestResponse<unknown> {
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  const code = status >= 400 ? (body as ErrorBody).error.code : undefined
  return {
    status,
    code,
    get body() {
      if (code !== undefined) throw new Error(`The answer is ${status} ${code}`)
      return body
    },
  }
}

async function loadActor(db: Database, id: string): Promise<Actor | null> {
  const row = await db.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select([
      'p.id as user_id',
      'p.email',
      'p.email_verified',
      'p.display_name',
      'p.avatar_url',
      'r.role',
      'p.subscription_status',
      'p.subscription_tier',
      'p.subscription_ends_at',
      'p.two_factor_enabled',
    ])
    .where('p.id', '=', id)
    .executeTakeFirst()
  return row ? { ...row, session_id: row.user_id } : null
}

/** Creates published tracks whose times are a minute apart, oldest first. Returns their ids. */
export async function makeTracks(
  db: Database,
  count: number,
  options: { published?: boolean; prefix?: string } = {},
): Promise<string[]> {
  const { published = true, prefix = 'Track' } = options
  const ids: string[] = []
  // Inserts in batches, because the database cancels a statement that takes too long.
  for (let from = 1; from <= count; from += 2000) {
    const { rows } = await sql<{ id: string }>`
      insert into tracks (title, artist, is_published, processing_status, duration, created_at)
      select ${prefix}::text || ' ' || i, 'Artist ' || i % 7, ${published}::boolean, 'ready', 100 + i % 100,
             now() - make_interval(mins => ${count}::int - i)
        from generate_series(${from}::int, ${Math.min(count, from + 1999)}::int) i
      returning id`.execute(db.query)
    ids.push(...rows.map((row) => row.id))
  }
  return ids
}
