// The context in which a server function acts: the person and the request.
import type { FastifyBaseLogger } from 'fastify'
import type { Role, SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { TokenScope } from '#contract/token-scopes.ts'
import type { Database } from '../db/database.ts'

/** The signed-in person of a request. */
export interface Actor {
  user_id: string
  /** For other credentials, their id. No session has the same id. */
  session_id: string
  email: string
  email_verified: boolean
  display_name: string
  avatar_url: string | null
  role: Exclude<Role, 'banned'>
  subscription_status: SubscriptionStatus
  subscription_tier: Tier
  subscription_ends_at: string | null
  two_factor_enabled: boolean
  /** Undefined for a session. */
  credential?: Credential
}

/** How the person is authenticated, if not by a session of the browser. */
export type Credential =
  | { kind: 'access_token'; id: string; name: string; scopes: readonly TokenScope[] }
  | { kind: 'device_key'; id: string }

export interface Context {
  db: Database
  actor: Actor | null
  now: () => Date
  log: FastifyBaseLogger
  /** Address of the caller, from the trusted proxy or the socket. */
  ip: string
}

/** The context of an operation that only signed-in people reach. */
export interface MemberContext extends Context {
  actor: Actor
}
