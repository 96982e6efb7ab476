// Finds the owner of a device key or an access token. A ban, a changed plan or a revoked key applies to the next
// request on every instance. Results are cached like sessions and evicted by the same events.
import { createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { isStaff } from '#contract/access.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { createSessionCache } from '../auth/sessions/session-cache.ts'
import { actorColumns } from '../auth/sessions/session-check.ts'
import { coarseNetwork, hashSecret, tokenPrefix } from './new-secrets.ts'

/** The ways in which an app can send a device key. */
export type KeyProof =
  | { kind: 'api_key'; key: string }
  /** The key is part of the URL of a private feed. */
  | { kind: 'feed'; key: string }
  | { kind: 'password'; username: string; key: string }
  /** `token` is the MD5 hash of key and salt, in hex. */
  | { kind: 'salted'; username: string; token: string; salt: string }

export interface KeyCheck {
  /** Null if the token or key is unknown, expired or revoked, or if the person is banned. */
  findByToken: (token: string) => Promise<Actor | null>
  findByKey: (proof: KeyProof) => Promise<Actor | null>
  /** Records when and by which client a key or token was used, at most once in five minutes per key. */
  recordUse: (actor: Actor, use: { ip: string; client?: string | undefined }) => void
  /** Evicts a person's keys and tokens from the cache. */
  evict: (userId: string) => void
}

const recordEveryMs = 5 * 60_000
const maxRecordedKeys = 20_000

export function createKeyCheck(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
  secretBox: SecretBox
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
}): KeyCheck {
  const { db, bus, secretBox, now, log } = services
  const cache = createSessionCache(bus)
  const recorded = new LRUCache<string, true>({ max: maxRecordedKeys, ttl: recordEveryMs })

  async function find(
    name: string,
    read: () => Promise<{ actor: Actor; expiresAtMs: number } | null>,
  ): Promise<Actor | null> {
    const nowMs = now().getTime()
    // Cache by the secret's hash, so that the process keeps no usable secret in memory after a request.
    const cookie = hashSecret(name)
    const entry =
      cache.find(cookie, nowMs) ??
      (await cache.fill(async () => {
        const found = await read()
        return found && { ...found, cookie, isOld: false, checkedAtMs: nowMs }
      }))
    return entry?.actor ?? null
  }

  return {
    async findByToken(token) {
      if (!token.startsWith(tokenPrefix)) return null
      return find(`token ${token}`, () => readToken(db, hashSecret(token), now()))
    },
    async findByKey(proof) {
      if (proof.kind === 'salted') {
        const { username, token, salt } = proof
        const name = JSON.stringify(['salted', username, token, salt])
        return find(name, () => readSalted(db, secretBox, proof))
      }
      const key = proof.key.trim().toLowerCase()
      const purpose = proof.kind === 'feed' ? 'feed' : 'app'
      const actor = await find(`${purpose} key ${key}`, () => readKey(db, hashSecret(key), purpose))
      const isOwner = proof.kind !== 'password' || isSamePerson(actor, proof.username)
      return isOwner ? actor : null
    },
    recordUse({ credential }, use) {
      if (!credential || recorded.has(credential.id)) return
      recorded.set(credential.id, true)
      writeUse(db, credential, use).catch((err: unknown) => {
        recorded.delete(credential.id)
        log.warn({ err }, 'the last use of a key was not recorded')
      })
    },
    evict: cache.evict,
  }
}

function isSamePerson(actor: Actor | null, username: string): boolean {
  return actor?.email.toLowerCase() === username.trim().toLowerCase()
}

async function readToken(db: Database, token_hash: string, now: Date) {
  const row = await db.query
    .selectFrom('access_tokens as k')
    .innerJoin('profiles as p', 'p.id', 'k.user_id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['k.id', 'k.name', 'k.scopes', 'k.expires_at'])
    .select(actorColumns)
    .where('k.token_hash', '=', token_hash)
    .where('k.expires_at', '>', now.toISOString())
    .where('p.banned_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { id, name, scopes, expires_at, ...person } = row
  // Without the scope `admin`, the token of an admin or editor has the rights of a member.
  const isLess = isStaff(person.role) && !scopes.includes('admin')
  const actor: Actor = {
    ...person,
    ...(isLess && { role: 'member' }),
    session_id: id,
    credential: { kind: 'access_token', id, name, scopes },
  }
  return { actor, expiresAtMs: Date.parse(expires_at) }
}

function keysOfPeople(db: Database) {
  return db.query
    .selectFrom('device_keys as k')
    .innerJoin('profiles as p', 'p.id', 'k.user_id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['k.id', 'k.key_sealed'])
    .select(actorColumns)
    .where('p.banned_at', 'is', null)
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof keysOfPeople>['executeTakeFirstOrThrow']>>

function toOwner({ id, key_sealed: _, ...person }: KeyRow) {
  const actor: Actor = { ...person, session_id: id, credential: { kind: 'device_key', id } }
  return { actor, expiresAtMs: Infinity }
}

async function readKey(db: Database, key_hash: string, purpose: 'app' | 'feed') {
  const row = await keysOfPeople(db)
    .where('k.key_hash', '=', key_hash)
    .where('k.purpose', '=', purpose)
    .executeTakeFirst()
  return row ? toOwner(row) : null
}

/**
 * Finds the key with which a salted hash was made, by comparing each of the person's keys. There are few, and each
 * costs one MD5.
 */
async function readSalted(
  db: Database,
  secretBox: SecretBox,
  { username, token, salt }: Extract<KeyProof, { kind: 'salted' }>,
) {
  const rows = await keysOfPeople(db)
    .where('p.email', '=', username.trim().toLowerCase())
    .where('k.purpose', '=', 'app')
    .orderBy('k.id')
    .execute()
  const row = rows.find(({ key_sealed }) => {
    const key = secretBox.open(key_sealed)
    return key !== null && isSaltedWith(key, { token, salt })
  })
  return row ? toOwner(row) : null
}

/** The Subsonic protocol prescribes MD5. */
function isSaltedWith(key: string, { token, salt }: { token: string; salt: string }): boolean {
  const expected = createHash('md5')
    .update(key + salt)
    .digest()
  const given = Buffer.from(token, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function writeUse(
  db: Database,
  { kind, id }: NonNullable<Actor['credential']>,
  { ip, client }: { ip: string; client?: string | undefined },
): Promise<void> {
  const used = { last_used_at: sql<string>`now()`, last_network: coarseNetwork(ip) }
  if (kind === 'access_token') {
    await db.query.updateTable('access_tokens').set(used).where('id', '=', id).execute()
    return
  }
  const last_client = client?.replaceAll('\u0000', '').toWellFormed().slice(0, 100) || null
  await db.query
    .updateTable('device_keys')
    .set({ ...used, last_client })
    .where('id', '=', id)
    .execute()
}
