// Identifies the caller of a request by an access token, a device key of an app, or the session cookie. A request with
// two of these is rejected.
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { minute, type RateLimit } from '#contract/rate-limit.ts'
import { createAddressKeys } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit } from '../../platform/limits/rate-limit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { hasBearer, type SessionCheck } from '../auth/sessions/session-check.ts'
import type { KeyCheck, KeyProof } from './key-check.ts'

export interface Callers {
  /**
   * Returns the person who sent the request. Null for a visitor. Throws `token_invalid`, or `rate_limited` after many
   * wrong tokens.
   */
  identify: (request: FastifyRequest) => Promise<Actor | null>
  /**
   * Returns the person who sent a request that was identified before. Null if the session has ended or the token or key
   * was revoked.
   */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /** Identifies the owner of a device key. After this, `findActor` returns the owner for this request. */
  identifyApp: (
    request: FastifyRequest,
    proof: KeyProof,
    client: string | undefined,
  ) => Promise<Actor | null>
}

/**
 * Limit on wrong tokens per address. Valid tokens and keys are not counted, so guessing does not lock out others at the
 * same address.
 */
export const wrongTokenLimit: RateLimit = { name: 'wrong-token', count: 30, seconds: 15 * minute }

export function createCallers(services: {
  db: Database
  sessions: Pick<SessionCheck, 'findActor'>
  keys: KeyCheck
}): Callers {
  const { db, sessions, keys } = services
  const proofs = new WeakMap<FastifyRequest, KeyProof>()

  async function findActor(request: FastifyRequest): Promise<Actor | null> {
    const proof = proofs.get(request)
    if (proof) return keys.findByKey(proof)
    if (!hasBearer(request)) return sessions.findActor(request)
    return keys.findByToken(readBearer(request))
  }

  return {
    findActor,
    async identify(request) {
      const actor = await findActor(request)
      if (actor?.credential) keys.recordUse(actor, { ip: request.ip })
      if (actor || !hasBearer(request)) return actor
      await consumeRateLimit(createSharedStore(db), createAddressKeys(wrongTokenLimit, request.ip))
      throw new AppError('token_invalid', { headers: { 'www-authenticate': 'Bearer' } })
    },
    async identifyApp(request, proof, client) {
      const actor = await keys.findByKey(proof)
      if (!actor) return null
      proofs.set(request, proof)
      keys.recordUse(actor, { ip: request.ip, client })
      return actor
    },
  }
}

/** Reads the token of the Authorization header (RFC 6750 §2.1). */
function readBearer({ headers }: FastifyRequest): string {
  return (headers.authorization ?? '').replace(/^bearer +/i, '').trim()
}
