// For tests: the whole server with a separate database, listening on a free port. It has every route, real services
// and real sign-ins. A response with a field that the contract lacks causes an error.
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import type { CallInput, Endpoint, Output } from '#contract/endpoint.ts'
import { getTierStatus, type Tier } from '#contract/plans.ts'
import { createApp } from '../app.ts'
import { banAccount } from '../features/auth/ban-account.ts'
import { createUser, type NewUser } from '../features/auth/create-user.ts'
import { testPassword as password } from './auth-test-app.ts'
import { hashNewPassword } from '../features/auth/new-password.ts'
import { readConfig, type Config } from '../platform/config/config.ts'
import { transaction } from '../platform/db/database.ts'
import { startServices, type Services } from '../services.ts'
import type { Statfs } from '../platform/storage/disk-space.ts'
import { createTestDatabase } from './test-database.ts'

export interface TestResponse<Body = unknown> {
  status: number
  /** The error code, if any. */
  code: string | undefined
  body: Body
  headers: Headers
}

/** Sends requests with the cookie of a real sign-in, or without one. */
export interface Caller {
  cookie: string
  call: <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<TestResponse<Output<E>>>
  /** Sends any request. An object as body is sent as JSON. */
  send: (
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ) => Promise<TestResponse>
}

export interface Person extends Caller {
  id: string
  email: string
}

export interface TestApp {
  app: FastifyInstance
  services: Services
  /** Runs statements as the owner of the tables, because the server's role has fewer rights. */
  asOwner: (sql: string) => Promise<void>
  /** The base URL, without a trailing slash. */
  url: string
  nobody: Caller
  /** Returns a caller with this Cookie header. */
  as: (cookie: string) => Caller
  /** Signs in with the password that all people in tests have. */
  signIn: (email: string) => Promise<Caller>
  makePerson: (options?: {
    role?: NonNullable<NewUser['role']>
    tier?: Tier
    /** The person signs in first, and is banned afterwards. */
    banned?: boolean
  }) => Promise<Person>
  /** Stops the server and starts it again with the same data and URL. Read `services` again afterwards. */
  restart: () => Promise<void>
  close: () => Promise<void>
}

const requestsGraceMs = 500

/** Creates the app. Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createTestApp(
  overrides: Partial<Config> = {},
  options: { now?: () => Date; statfs?: Statfs; log?: Logger } = {},
): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'velour-test-app-'))
  const config: Config = {
    ...readConfig({
      DEMO: 'off',
      // No server listens on these addresses, so that tests contact no outside service.
      DNS_SERVERS: '127.0.0.1:1',
      STRIPE_API_URL: 'http://127.0.0.1:1',
      DATA_DIR: dataDir,
      DATABASE_URL: database.connectionString,
      DATABASE_OWNER_URL: database.ownerConnectionString,
    }),
    ...overrides,
  }
  const { log = pino({ level: 'fatal' }), ...rest } = options
  const start = async (port: number) => {
    const running = await startServices(config, log, rest)
    const app = await createApp(running.services, { log, webFolder: null, strictOutput: true })
    await app.listen({ host: '127.0.0.1', port })
    return { ...running, app }
  }
  const stop = async ({ beginShutdown, app, close }: Awaited<ReturnType<typeof start>>) => {
    beginShutdown()
    // Closes idle connections that a client keeps open, like the real server process.
    const cut = setTimeout(() => app.server.closeAllConnections(), requestsGraceMs)
    await app.close()
    clearTimeout(cut)
    await close()
  }
  let current = await start(0)
  const { port } = current.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const passwordHash = await hashNewPassword(password)
  let people = 0

  const signIn = async (email: string): Promise<Caller> => {
    const answer = await createCaller(url, '').send('POST', '/api/auth/sign-in/email', {
      body: { email, password },
    })
    if (answer.status !== 200) throw new Error(`Signing in returned ${answer.status}`)
    const pairs = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return createCaller(url, pairs.join('; '))
  }
  return {
    get app() {
      return current.app
    },
    get services() {
      return current.services
    },
    asOwner: database.asOwner,
    url,
    nobody: createCaller(url, ''),
    as: (cookie) => createCaller(url, cookie),
    signIn,
    async makePerson({ role = 'member', tier = 'free', banned = false } = {}) {
      const email = `person-${++people}@velour.test`
      const subscription_status = getTierStatus(tier)
      const user = { email, passwordHash, role, subscription_tier: tier, subscription_status }
      const { db, now } = current.services
      const id = await transaction(db, (trx) => createUser(trx, user))
      const caller = await signIn(email)
      if (banned) await transaction(db, (trx) => banAccount(trx, id, now()))
      return { id, email, ...caller }
    },
    async restart() {
      await stop(current)
      current = await start(port)
    },
    async close() {
      await stop(current)
      await database.drop()
      await rm(dataDir, { recursive: true })
    },
  }
}

function createCaller(url: string, cookie: string): Caller {
  const send: Caller['send'] = async (method, path, { body, headers = {}, signal } = {}) => {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : String(body) }),
      ...(signal && { signal }),
    })
    const answer = { status: response.status, headers: response.headers }
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel()
      return { ...answer, code: undefined, body: undefined }
    }
    const text = await response.text()
    const hasJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed: unknown = hasJson && text !== '' ? JSON.parse(text) : text
    const code = response.status >= 400 ? readErrorCode(parsed) : undefined
    return { ...answer, code, body: parsed }
  }
  return {
    cookie,
    send,
    call: (endpoint, input) => {
      const { params, query, body } = input as {
        params?: Record<string, unknown>
        query?: Record<string, string>
        body?: unknown
      }
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params?.[name]))
      const search = query ? `?${new URLSearchParams(query)}` : ''
      // The route has already encoded the body according to the contract.
      return send(endpoint.method, path + search, { body }) as Promise<TestResponse<never>>
    },
  }
}

function readErrorCode(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'error' in body
    ? (body as { error: { code: string } }).error.code
    : undefined
}
