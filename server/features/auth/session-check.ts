// Identifies the caller of every request: verifies the signed cookie and reads session, person and role in one query.
// Results are cached for a few seconds and evicted when the database notifies us of a change to the person or their
// sessions. While the event connection is down, nothing is cached.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { adminSessionSeconds } from '#contract/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { createSessionCookie, sessionSeconds } from './session-cookie.ts'

export interface SessionCheck {
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /** Whether the request has a session cookie that this service signed. The session itself is not checked. */
  hasSignedCookie: (request: FastifyRequest) => boolean
  /** Whether the session is live; looks it up if it is not cached. */
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
  /** A Cookie header for better-auth, which knows only the current secret. */
  resignCookie: (header: string) => string
  /** Evicts a person from this instance's cache. */
  forget: (userId: string) => void
  isRenewalDue: (request: FastifyRequest) => boolean
  /** Before the answer: takes away the cookie of a session that this request found too old. */
  clearEnded: (request: FastifyRequest, reply: FastifyReply) => void
  /** Before the answer: prolongs the session that the request came with, at most once a day. */
  renew: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

interface Known {
  actor: Actor
  cookie: string
  /** Signed with a previous secret. */
  isOld: boolean
  checkedAtMs: number
  expiresAtMs: number
}

const keptMs = 10_000
const keptSessions = 20_000
const renewAfterMs = 24 * 3600 * 1000

export function createSessionCheck(options: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
  secrets: readonly [string, ...string[]]
  secureCookies: boolean
  now: () => Date
}): SessionCheck {
  const { db, bus, now } = options
  const cookies = createSessionCookie(options.secrets, options.secureCookies)
  const cookiesOf = new Map<string, Set<string>>()
  // Keyed by the whole signed value, which only its holder knows, so that a cache hit needs no second HMAC.
  const known = new LRUCache<string, Known>({
    max: keptSessions,
    dispose: ({ actor, cookie }) => {
      const values = cookiesOf.get(actor.user_id)
      values?.delete(cookie)
      if (values?.size === 0) cookiesOf.delete(actor.user_id)
    },
  })
  /** Caches ended sessions, so that repeated requests with such a cookie cost no queries. */
  const ended = new LRUCache<string, true>({ max: 1_000, ttl: keptMs })
  // Incremented on every change notification: a query result read across a change may be stale and is not cached.
  let changes = 0
  const renewals = new WeakMap<FastifyRequest, Known>()
  const tooOld = new WeakSet<FastifyRequest>()

  const forget = (userId: string) => {
    changes += 1
    for (const cookie of cookiesOf.get(userId) ?? []) known.delete(cookie)
  }
  const forgetAll = () => {
    changes += 1
    known.clear()
  }
  bus.on('sessions', forget)
  bus.onMissed(forgetAll)

  const keep = (entry: Known) => {
    known.set(entry.cookie, entry)
    const values = cookiesOf.get(entry.actor.user_id) ?? new Set()
    cookiesOf.set(entry.actor.user_id, values.add(entry.cookie))
  }

  const look = async (
    request: FastifyRequest,
    cookie: string,
    nowMs: number,
  ): Promise<Known | null> => {
    const token = cookies.verify(cookie)
    if (token === null) return null
    const before = changes
    const found = await readSession(db, token)
    if (!found || found.expiresAtMs <= nowMs) return null
    const { actor, expiresAtMs, isTooOld } = found
    if (isTooOld) {
      // The other instances, and streams that run, learn of it from the database.
      await db.query.deleteFrom('sessions').where('id', '=', actor.session_id).execute()
      tooOld.add(request)
      return null
    }
    const isOld = !cookies.isCurrent(cookie)
    const entry = { actor, expiresAtMs, cookie, isOld, checkedAtMs: nowMs }
    if (changes === before && bus.isConnected()) keep(entry)
    return entry
  }

  return {
    async findActor(request) {
      const cookie = cookies.find(request.headers.cookie)
      if (cookie === null) return null
      const nowMs = now().getTime()
      const kept = bus.isConnected() ? known.get(cookie) : undefined
      const isFresh =
        kept && Math.abs(nowMs - kept.checkedAtMs) < keptMs && nowMs < kept.expiresAtMs
      const entry = isFresh ? kept : await look(request, cookie, nowMs)
      if (!entry) return null
      if (entry.isOld || isDue(entry, nowMs)) renewals.set(request, entry)
      return entry.actor
    },
    hasSignedCookie(request) {
      const cookie = cookies.find(request.headers.cookie)
      return cookie !== null && (known.has(cookie) || cookies.verify(cookie) !== null)
    },
    async isSignedIn(request) {
      const cookie = cookies.find(request.headers.cookie)
      if (cookie === null || ended.has(cookie)) return false
      const actor = await this.findActor(request)
      // An ended session never becomes live again. An unsigned cookie costs no query and is not cached.
      if (!actor && cookies.verify(cookie) !== null) ended.set(cookie, true)
      return actor !== null
    },
    resignCookie: cookies.resign,
    forget,
    isRenewalDue: (request) => renewals.has(request),
    clearEnded(request, reply) {
      if (!tooOld.has(request) || isForEverybody(reply)) return
      const set = [reply.getHeader('set-cookie') ?? []].flat().map(String)
      // A sign-in with the old cookie brings a new one.
      if (set.some((text) => text.startsWith(`${cookies.name}=`))) return
      reply.header('set-cookie', cookies.clear)
    },
    async renew(request, reply) {
      const entry = renewals.get(request)
      if (!entry || isForEverybody(reply)) return
      const expiresAtMs = now().getTime() + sessionSeconds * 1000
      const isRenewed = await renewSession(db, entry, expiresAtMs)
      known.delete(entry.cookie)
      if (isRenewed || entry.isOld) reply.header('set-cookie', cookies.renew(entry.cookie))
    },
  }
}

/** An answer that others may keep must not carry anybody's cookie. */
function isForEverybody(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control') ?? '').includes('public')
}

function isDue(entry: Known, nowMs: number): boolean {
  return entry.expiresAtMs - nowMs <= sessionSeconds * 1000 - renewAfterMs
}

/** Returns the holder of the token, unless they are banned. */
export async function readSession(
  db: Database,
  token: string,
): Promise<(Pick<Known, 'actor' | 'expiresAtMs'> & { isTooOld: boolean }) | null> {
  const row = await db.query
    .selectFrom('sessions as s')
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select([
      's.id as session_id',
      's.expires_at',
      'p.id as user_id',
      'p.email',
      'p.email_verified',
      'p.display_name',
      'p.avatar_url',
      'p.subscription_status',
      'p.subscription_tier',
      'p.subscription_ends_at',
      'p.two_factor_enabled',
      'r.role',
      isPastAdminLimit.as('is_too_old'),
    ])
    .where('s.token', '=', token)
    .where('p.banned_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { expires_at, is_too_old, ...actor } = row
  return { actor, expiresAtMs: Date.parse(expires_at), isTooOld: is_too_old }
}

/**
 * Sessions of admins, as `s` with their role as `r`, end 12 hours after the sign-in, whatever they are used for. Whoever
 * becomes an admin signs in again. By the database's clock (database-time.ts): a wrong clock of one server ends nothing.
 */
export const isPastAdminLimit = sql<boolean>`
  (r.role = 'admin' and s.created_at <= now() - make_interval(secs => ${adminSessionSeconds}))`

/** False when the session ended meanwhile or another request renewed it first. */
async function renewSession(db: Database, entry: Known, expiresAtMs: number): Promise<boolean> {
  const result = await db.query
    .updateTable('sessions')
    .set({
      expires_at: new Date(expiresAtMs).toISOString(),
      updated_at: new Date(expiresAtMs - sessionSeconds * 1000).toISOString(),
    })
    .where('id', '=', entry.actor.session_id)
    .where('expires_at', '<=', new Date(expiresAtMs - renewAfterMs).toISOString())
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
