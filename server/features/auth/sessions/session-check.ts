// Identifies the caller of every request: verifies the signed cookie and reads session, person and role in one query.
// Results are cached for a few seconds and evicted when the database notifies this instance of a change to the person
// or their sessions. While the event connection is down, nothing is cached.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { adminSessionSeconds } from '#contract/sessions.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import type { Actor } from '../../../platform/operations/context.ts'
import { createSessionCache, cacheMs, type CheckedSession } from './session-cache.ts'
import { createSessionCookie, sessionSeconds } from './session-cookie.ts'

export interface SessionCheck {
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /** Whether the request has a session cookie that Velour signed. Does not check whether the session still exists. */
  hasSignedCookie: (request: FastifyRequest) => boolean
  /** Whether the request's session exists and has not expired. Queries the database if the session is not cached. */
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
  /** Signs the session cookie of a Cookie header with the current secret, the only one that better-auth has. */
  resignCookie: (header: string) => string
  /** Evicts a person's sessions from this instance's cache. */
  evict: (userId: string) => void
  isRenewalDue: (request: FastifyRequest) => boolean
  /** Call before the response is sent: deletes the cookie of a session that this request found to have ended. */
  clearEnded: (request: FastifyRequest, reply: FastifyReply) => void
  /** Call before the response is sent: extends the request's session, at most once a day. */
  renew: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

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
  const cache = createSessionCache(bus)
  /** Caches ended sessions, so that repeated requests with the cookie of an ended session cost no queries. */
  const ended = new LRUCache<string, true>({ max: 1_000, ttl: cacheMs })
  const renewals = new WeakMap<FastifyRequest, CheckedSession>()
  const expiredRequests = new WeakSet<FastifyRequest>()

  async function lookUpActor(
    request: FastifyRequest,
    cookie: string,
    nowMs: number,
  ): Promise<CheckedSession | null> {
    const token = cookies.verify(cookie)
    if (token === null) return null
    const found = await readSession(db, token)
    if (!found || found.expiresAtMs <= nowMs) return null
    const { actor, expiresAtMs, isTooOld } = found
    if (isTooOld) {
      // A database trigger notifies other instances and running streams.
      await db.query.deleteFrom('sessions').where('id', '=', actor.session_id).execute()
      expiredRequests.add(request)
      return null
    }
    const isOld = !cookies.isCurrent(cookie)
    return { actor, expiresAtMs, cookie, isOld, checkedAtMs: nowMs }
  }

  return {
    async findActor(request) {
      // An access token takes precedence: cookies of the same request are ignored.
      if (hasBearer(request)) return null
      const cookie = cookies.find(request.headers.cookie)
      if (cookie === null) return null
      const nowMs = now().getTime()
      const entry =
        cache.find(cookie, nowMs) ?? (await cache.fill(() => lookUpActor(request, cookie, nowMs)))
      if (!entry) return null
      if (entry.isOld || isDue(entry, nowMs)) renewals.set(request, entry)
      return entry.actor
    },
    hasSignedCookie(request) {
      const cookie = cookies.find(request.headers.cookie)
      return cookie !== null && (cache.has(cookie) || cookies.verify(cookie) !== null)
    },
    async isSignedIn(request) {
      const cookie = cookies.find(request.headers.cookie)
      if (cookie === null || ended.has(cookie)) return false
      const actor = await this.findActor(request)
      // Cache the result, because an ended session never becomes valid again. Invalid signatures cost no query.
      if (!actor && cookies.verify(cookie) !== null) ended.set(cookie, true)
      return actor !== null
    },
    resignCookie: cookies.resign,
    evict: cache.evict,
    isRenewalDue: (request) => renewals.has(request),
    clearEnded(request, reply) {
      if (!expiredRequests.has(request) || isPublicResponse(reply)) return
      const set = [reply.getHeader('set-cookie') ?? []].flat().map(String)
      // This response already sets a new session cookie, because the person signed in again.
      if (set.some((text) => text.startsWith(`${cookies.name}=`))) return
      reply.header('set-cookie', cookies.clear)
    },
    async renew(request, reply) {
      const entry = renewals.get(request)
      if (!entry || isPublicResponse(reply)) return
      const expiresAtMs = now().getTime() + sessionSeconds * 1000
      const isRenewed = await renewSession(db, entry, expiresAtMs)
      cache.delete(entry.cookie)
      if (isRenewed || entry.isOld) reply.header('set-cookie', cookies.renew(entry.cookie))
    },
  }
}

/** A response that may be cached publicly must not set a cookie. */
function isPublicResponse(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control') ?? '').includes('public')
}

function isDue(entry: CheckedSession, nowMs: number): boolean {
  return entry.expiresAtMs - nowMs <= sessionSeconds * 1000 - renewAfterMs
}

/** The columns of an Actor that do not belong to the session, from `profiles as p` and `user_roles as r`. */
export const actorColumns = [
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
] as const

/** Whether a request has an access token in its Authorization header. */
export function hasBearer({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^bearer /i.test(headers.authorization ?? '')
}

/** Returns the person whose session token this is, unless they are banned. */
export async function readSession(
  db: Database,
  token: string,
): Promise<(Pick<CheckedSession, 'actor' | 'expiresAtMs'> & { isTooOld: boolean }) | null> {
  const row = await db.query
    .selectFrom('sessions as s')
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['s.id as session_id', 's.expires_at', isPastAdminLimit.as('is_too_old')])
    .select(actorColumns)
    .where('s.token', '=', token)
    .where('p.banned_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { expires_at, is_too_old, ...actor } = row
  return { actor, expiresAtMs: Date.parse(expires_at), isTooOld: is_too_old }
}

/**
 * Whether the session `s` of a person with role `r` is past the limit for admins: admin sessions end 12 hours after the
 * sign-in, even while in use. A person who becomes an admin must sign in again. The time is compared with the
 * database's clock (database-time.ts), so that a server with a wrong clock ends no sessions.
 */
export const isPastAdminLimit = sql<boolean>`
  (r.role = 'admin' and s.created_at <= now() - make_interval(secs => ${adminSessionSeconds}))`

/** Returns false if the session has ended or another request renewed it first. */
async function renewSession(
  db: Database,
  entry: CheckedSession,
  expiresAtMs: number,
): Promise<boolean> {
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
