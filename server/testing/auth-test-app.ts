// For tests: one instance of the sign-in part of the server, with a real database and a real outbox folder.
import { limitToOwner } from '../features/ownership/limit-to-owner.ts'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOTP } from '@better-auth/utils/otp'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect } from 'vitest'
import * as contract from '#contract/profiles.ts'
import {
  createDatabase,
  transaction,
  type Database,
  type Transaction,
} from '../platform/db/database.ts'
import { openEventBus } from '../platform/events/event-bus.ts'
import { handleErrors } from '../platform/http/error-handler.ts'
import { createRoute } from '../platform/http/route.ts'
import { refuseForeignOrigins } from '../platform/http/refusals/same-origin.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { getProfile } from '../features/profiles/profile-operations.ts'
import { decodeBase32 } from './decode-base32.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createAuth, type Auth } from '../features/auth/auth.ts'
import { createUser } from '../features/auth/create-user.ts'
import { hashNewPassword } from '../features/auth/new-password.ts'

export const testSecret = 'a secret of sufficient length that only these tests use'

export interface AuthTestApp {
  app: FastifyInstance
  auth: Auth
  db: Database
  /** Sends and receives JSON. `cookie` is the value of the Cookie header. */
  send: (request: {
    method?: InjectOptions['method']
    url: string
    body?: unknown
    cookie?: string | undefined
    headers?: Record<string, string>
    remoteAddress?: string
  }) => Promise<TestResponse>
  /** Creates an account and returns its id. */
  addMember: (email: string, password?: string) => Promise<string>
  /** Signs in and returns the Cookie header of the new session. */
  signIn: (email: string, password?: string) => Promise<string>
  /** All emails sent so far, oldest first. */
  mails: () => Promise<Email[]>
  close: () => Promise<void>
}

export interface TestResponse {
  status: number
  body: unknown
  headers: Record<string, unknown>
  cookies: SetCookie[]
}

export interface SetCookie {
  name: string
  value: string
  text: string
}

export const testPassword = 'correct horse battery'
const testPasswordHash = hashNewPassword(testPassword)

export async function createAuthTestApp(options: {
  connectionString: string
  publicUrl?: string
  requireEmailVerification?: boolean
  now?: () => Date
  minResponseMs?: number
}): Promise<AuthTestApp> {
  const { connectionString, now = () => new Date() } = options
  const config = {
    publicUrl: options.publicUrl ?? 'http://127.0.0.1:3000',
    requireEmailVerification: options.requireEmailVerification ?? false,
  }
  const app = Fastify({ logger: { level: 'fatal' } })
  const db = createDatabase({ connectionString, maxConnections: 6, log: app.log })
  const bus = await openEventBus({ connectionString, log: app.log })
  const outboxDir = await mkdtemp(join(tmpdir(), 'velour-outbox-'))
  const mailer = await createMailer({
    smtp: () => null,
    outboxDir,
    look: () => ({
      from: 'Velour <no-reply@velour.test>',
      brandName: 'Velour',
      accent: '#a8244f',
      picture: null,
    }),
    secretBox: null,
    log: app.log,
  })
  const auth = createAuth({
    config,
    branding: () => ({ brand_name: 'Velour' }),
    secrets: [testSecret],
    db,
    bus,
    mails: { sendsBySmtp: false, send: async (mail) => void (await mailer.send(mail)) },
    log: app.log,
    now,
    ...(options.minResponseMs !== undefined && { minResponseMs: options.minResponseMs }),
  })
  handleErrors(app)
  refuseForeignOrigins(app, config)
  await auth.register(app)
  const findActor = auth.findActor
  const route = createRoute(app, {
    db,
    secretBox: null,
    now,
    findActor,
    isMaintenance: () => false,
    adminsNeedTwoFactor: () => false,
    isConfirmed: async () => true,
    limitToOwner,
    strictOutput: true,
  })
  route(contract.getProfile, (ctx) => getProfile(ctx, false))

  const send: AuthTestApp['send'] = async (request) => {
    const response = await app.inject({
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      url: request.url,
      ...(request.body === undefined ? {} : { payload: request.body as object }),
      headers: { ...request.headers, ...(request.cookie ? { cookie: request.cookie } : {}) },
      remoteAddress: request.remoteAddress ?? '127.0.0.1',
    })
    const text = response.body
    return {
      status: response.statusCode,
      body: text.startsWith('{') || text === 'null' ? JSON.parse(text) : text,
      headers: response.headers,
      cookies: [response.headers['set-cookie'] ?? []].flat().map(parseSetCookie),
    }
  }
  return {
    app,
    auth,
    db,
    send,
    async addMember(email, password = testPassword) {
      const passwordHash = await (password === testPassword
        ? testPasswordHash
        : hashNewPassword(password))
      return transaction(db, (trx) => createUser(trx, { email, passwordHash }))
    },
    async signIn(email, password = testPassword) {
      const answer = await send({ url: '/api/auth/sign-in/email', body: { email, password } })
      if (answer.status !== 200) throw new Error(`signing in returned ${answer.status}`)
      return toCookieHeader(answer.cookies)
    },
    async mails() {
      const names = (await readdir(outboxDir)).toSorted()
      return Promise.all(
        names.map(async (name) => PostalMime.parse(await readFile(join(outboxDir, name)))),
      )
    },
    async close() {
      await app.close()
      await bus.close()
      await db.close()
      await rm(outboxDir, { recursive: true })
    },
  }
}

export interface AuthTestSite extends AuthTestApp {
  database: TestDatabase
  /** Returns the subjects of the emails to this address, oldest first. */
  subjectsTo: (email: string) => Promise<(string | undefined)[]>
  lastMailTo: (email: string) => Promise<Email>
  /** Returns the token in the newest email to this address. */
  mailedToken: (email: string) => Promise<string>
}

/** Creates one instance for all tests of a file, which is ready when the first test runs. */
export function useAuthTestSite(
  options: Partial<Parameters<typeof createAuthTestApp>[0]> = {},
): AuthTestSite {
  const site = {} as AuthTestSite
  const mailsTo = async (email: string) =>
    (await site.mails()).filter(({ to }) => to?.[0]?.address === email)
  beforeAll(async () => {
    const database = await createTestDatabase()
    const app = await createAuthTestApp({ ...options, connectionString: database.connectionString })
    Object.assign(site, app, { database })
  })
  afterAll(async () => {
    await site.close()
    await site.database.drop()
  })
  return Object.assign(site, {
    subjectsTo: async (email: string) => (await mailsTo(email)).map(({ subject }) => subject),
    async lastMailTo(email: string) {
      const mail = (await mailsTo(email)).at(-1)
      if (!mail) throw new Error(`no email to ${email}`)
      return mail
    },
    async mailedToken(email: string) {
      const texts = (await mailsTo(email)).map(({ text }) => text ?? '')
      return texts.map((text) => /token=([^&\s]+)/.exec(text)?.[1]).findLast(Boolean) ?? ''
    },
  })
}

/** Returns a function that computes the codes of an authenticator app for this setup. */
export function createAuthenticator(totpURI: string): () => Promise<string> {
  const secret = decodeBase32(new URL(totpURI).searchParams.get('secret') ?? '')
  return () => createOTP(secret, { period: 30, digits: 6 }).totp()
}

/** Calls `act` after the credentials are verified, just before the session is inserted. */
export async function runBeforeSessionInsert<T>(
  { db }: AuthTestApp,
  ask: () => Promise<TestResponse>,
  act: (trx: Transaction) => Promise<T>,
): Promise<{ answer: TestResponse; result: T }> {
  const { asked, result } = await transaction(db, async (trx) => {
    await sql`lock table sessions in share mode`.execute(trx.query)
    const asking = ask()
    await expect
      .poll(async () => {
        const waiting = sql`
          select from pg_locks where relation = 'sessions'::regclass and not granted
             and database = (select oid from pg_database where datname = current_database())`
        return (await waiting.execute(db.query)).rows.length
      })
      .toBe(1)
    return { asked: asking, result: await act(trx) }
  })
  return { answer: await asked, result }
}

/** Returns the Cookie header of a session. `readKnownBrowserCookie` returns the other cookie that a sign-in sets. */
export function toCookieHeader(cookies: SetCookie[]): string {
  return cookies
    .filter(({ name, value }) => value !== '' && !name.endsWith('known_browser'))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

export function readKnownBrowserCookie(cookies: SetCookie[]): string {
  return cookies
    .filter(({ name }) => name.endsWith('known_browser'))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

function parseSetCookie(text: string): SetCookie {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
  return { name, value, text }
}
