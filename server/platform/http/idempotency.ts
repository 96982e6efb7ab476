// The Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header). A repeated request with the same key gets the
// stored response of the first one. The operation and its response are committed in one transaction, so a crash leaves
// both or neither.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { lockNames, tryLockByName } from '../db/advisory-locks.ts'
import { runHooks, type Database } from '../db/database.ts'
import { runInOuterTransaction } from '../db/outer-transaction.ts'
import { AppError } from '../operations/app-error.ts'
import { limitConcurrency } from '../process/limit-concurrency.ts'
import type { SecretBox } from '../security/secret-box.ts'

export interface StoredResponse {
  status: number
  body: string
}

const header = 'idempotency-key'
const maxLength = 255
const retentionHours = 24

/** The key in the header of a request, or null if there is none. The quotes of the draft are optional. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const value = request.headers[header]
  if (value === undefined) return null
  const key = String(value).replace(/^"(.*)"$/, '$1')
  if (key.length > 0 && key.length <= maxLength && /^[\x21-\x7e]+$/.test(key)) return key
  throw new AppError('invalid_input', {
    details: [{ field: 'Idempotency-Key', message: `1 to ${maxLength} printable characters` }],
  })
}

export interface KeyedRequest {
  key: string
  userId: string
  request: Pick<FastifyRequest, 'method' | 'url' | 'body'>
}

export interface IdempotentRequests {
  /**
   * Returns the stored response, or runs `act` and stores its response. If `act` throws, nothing is stored, so that a
   * refused request may be repeated with the same key.
   */
  run: (
    keyed: KeyedRequest,
    act: (db: Database) => Promise<StoredResponse>,
  ) => Promise<StoredResponse & { isReplayed: boolean }>
}

export function createIdempotentRequests(db: Database, secretBox: SecretBox): IdempotentRequests {
  // Each request holds a database connection while it runs, and may need a second one for pictures. So half of the
  // pool is the limit.
  const inTurn = limitConcurrency(Math.max(1, Math.floor(db.pool.options.max / 2)))
  return {
    async run(keyed, act) {
      const { result, hooks } = await inTurn(() =>
        runInOuterTransaction(db, (inner) => runOnce(inner, secretBox, keyed, act)),
      )
      await runHooks(db, hooks)
      return result
    },
  }
}

async function runOnce(
  inner: Database,
  secretBox: SecretBox,
  { key, userId, request }: KeyedRequest,
  act: (db: Database) => Promise<StoredResponse>,
): Promise<StoredResponse & { isReplayed: boolean }> {
  const id = hash([userId, key])
  const fingerprint = hash([request.method, request.url, JSON.stringify(request.body) ?? ''])
  if (!(await tryLockByName(inner, lockNames.idempotencyKey(id)))) {
    throw new AppError('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })
  }
  const stored = await findStored(inner, id)
  if (stored) {
    if (stored.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused')
    const body = secretBox.open(stored.answer)
    if (body === null) throw new Error('A stored response cannot be opened')
    return { status: stored.status, body, isReplayed: true }
  }
  const { status, body } = await act(inner)
  await inner.query
    .insertInto('idempotency_keys')
    .values({
      id,
      user_id: userId,
      fingerprint,
      status,
      answer: secretBox.seal(body),
      expires_at: sql`now() + make_interval(hours => ${retentionHours})`,
    })
    .execute()
  return { status, body, isReplayed: false }
}

/** Returns the stored response. First deletes a key that has expired and has not been cleaned up yet. */
async function findStored(db: Database, id: string) {
  await db.query
    .deleteFrom('idempotency_keys')
    .where('id', '=', id)
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
  return db.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteOldIdempotencyKeys(db: Database): Promise<void> {
  await db.query
    .deleteFrom('idempotency_keys')
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
