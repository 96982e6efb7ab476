// The context of a call to a server function: the person and the request.
import type { FastifyBaseLogger } from 'fastify'
import type { Role, SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { TokenScope } from '#contract/token-scopes.ts'
import type { Database } from '../db/database.ts'

/** The signed-in person of a request. */
export interface Actor {
  user_id: string
  /** The id of the session. For other credentials, the id of the credential, which no session has. */
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
  /** Undefined if the person signed in with a session. */
  credential?: Credential
}

/** How the request was authenticated, if not by the session of a browser. */
export type Credential =
  | { kind: 'access_token'; id: string; name: string; scopes: readonly TokenScope[] }
  | { kind: 'device_key'; id: string }

export interface Context {
  db: Database
  actor: Actor | null
  now: () => Date
  log: FastifyBaseLogger
  /** IP address of the caller, from the trusted proxy or the socket. */
  ip: string
}

/** The context of an operation that requires sign-in. */
export interface MemberContext extends Context {
  actor: Actor
}
