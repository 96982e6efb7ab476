// Identifies the caller of a Subsonic request by a device key. Apps send the key as an API key, as a password, or as
// the MD5 of key and salt. The password of the account is never accepted, so that nobody enters it in an app.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { minute, type RateLimit } from '#contract/rate-limit.ts'
import { createAddressKeys } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { isWithinLimit } from '../../platform/limits/rate-limit.ts'
import { recordAccount, logRefusal } from '../../platform/http/refusal-log.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { Callers } from '../keys/callers.ts'
import type { KeyProof } from '../keys/key-check.ts'
import type { Parameters } from './parameters.ts'
import { SubsonicError } from './subsonic-error.ts'

const maxLength = 1000

/**
 * Above this limit, responses to wrong device keys are delayed. Valid keys are looked up first, so they are never
 * affected.
 */
export const wrongKeyLimit: RateLimit = {
  name: 'wrong-device-key',
  count: 20,
  seconds: 15 * minute,
}
const delayMs = 2000
/**
 * Maximum number of delayed responses, because each one keeps a connection open. Above it, responses to wrong keys are
 * immediate.
 */
const maxDelayed = 100

export function createSignIn({ db, callers }: { db: Database; callers: Callers }) {
  let delayed = 0

  async function slowDown(request: FastifyRequest): Promise<void> {
    const limits = createAddressKeys(wrongKeyLimit, request.ip)
    const results = await Promise.all(
      limits.map((limit) => isWithinLimit(createSharedStore(db), limit)),
    )
    if (results.every(Boolean) || delayed >= maxDelayed) return
    logRefusal(request, 'rate_limited')
    delayed += 1
    try {
      await sleep(delayMs)
    } finally {
      delayed -= 1
    }
  }

  return async (request: FastifyRequest, parameters: Parameters): Promise<Actor> => {
    const proof = readProof(parameters)
    const actor = await callers.identifyApp(request, proof, parameters.text('c'))
    if (actor) {
      recordAccount(request, actor.email)
      return actor
    }
    if (proof.kind !== 'api_key') recordAccount(request, proof.username)
    logRefusal(request, 'invalid_credentials')
    await slowDown(request)
    if (proof.kind === 'api_key') throw new SubsonicError('invalid_api_key', 'Invalid API key')
    throw new SubsonicError(
      'wrong_login',
      'Wrong username or password. Use a device key from your profile, not the password of your account.',
    )
  }
}

function readProof(parameters: Parameters): Exclude<KeyProof, { kind: 'feed' }> {
  const [apiKey, username, password, token, salt] = ['apiKey', 'u', 'p', 't', 's'].map((name) =>
    parameters.text(name)?.slice(0, maxLength),
  )
  if (apiKey) {
    if (username || password || token || salt) {
      throw new SubsonicError('conflicting_logins', 'apiKey cannot be combined with u, p, t or s')
    }
    return { kind: 'api_key', key: apiKey }
  }
  if (!username) throw new SubsonicError('missing_parameter', 'Required parameter is missing: u')
  if (password && (token || salt)) {
    throw new SubsonicError('conflicting_logins', 'Send either p, or t and s')
  }
  if (token && salt) return { kind: 'salted', username, token, salt }
  if (password) return { kind: 'password', username, key: decodePassword(password) }
  throw new SubsonicError('missing_parameter', 'Required parameter is missing: p, or t and s')
}

/** Decodes a password that is sent as `enc:` and the UTF-8 bytes in hex. */
function decodePassword(password: string): string {
  if (!password.startsWith('enc:')) return password
  return Buffer.from(password.slice('enc:'.length), 'hex').toString('utf8')
}
