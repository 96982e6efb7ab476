// Identifies the caller of a request by an access token, an app's device key, or the session cookie. A request with two of them
// is rejected.
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
  /** The current caller. Null for a visitor. Throws `token_invalid`, or `rate_limited` after many wrong tokens. */
  identify: (request: FastifyRequest) => Promise<Actor | null>
  /** The current caller of a request that was admitted before. Null if its session, token or key has ended. */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /** Identifies the owner of a device key. `findActor` then returns the owner for this request. */
  identifyApp: (
    request: FastifyRequest,
    proof: KeyProof,
    client: string | undefined,
  ) => Promise<Actor | null>
}

/** Valid tokens and keys are not counted, so guessing from an address does not lock out others at that address. */
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

/** RFC 6750 §2.1. */
function readBearer({ headers }: FastifyRequest): string {
  return (headers.authorization ?? '').replace(/^bearer +/i, '').trim()
}
