// The request context of a better-auth operation, and the code that sends its response.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Access } from '#contract/access.ts'
import type { Endpoint, ParsedInput } from '#contract/endpoint.ts'
import type { RateLimit } from '#contract/rate-limit.ts'
import type { Context } from '../../platform/operations/context.ts'
import { isLocalRequest } from '../../platform/http/refusals/local-request.ts'
import { createAddressKeys, type LimitedKey } from '../../platform/limits/limit-keys.ts'
import { recordAccount } from '../../platform/http/refusal-log.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Branding } from '../settings/branding.ts'
import type { AccountNotices } from './account-notices.ts'
import type { BetterAuthCall } from './better-auth-call.ts'
import type { KnownBrowser } from './known-browser.ts'

export interface AuthRouteServices {
  call: (call: BetterAuthCall, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Takes the request's Cookie header and returns the one to pass to better-auth. */
  resignCookie: (header: string) => string
  notices: AccountNotices
  knownBrowser: KnownBrowser
  /**
   * Emails the owner of this address that someone is guessing the password. Does nothing if the address has no account.
   */
  warnOwner: (email: string) => Promise<void>
  branding: () => Pick<Branding, 'brand_name'>
  requireEmailVerification: boolean
  /** Whether admins must enable a second factor before they get access. */
  adminsNeedTwoFactor: () => boolean
  /** Evicts a person's sessions from this instance's cache without waiting for the notification. */
  evict: (userId: string) => void
  /** Minimum duration, in milliseconds, of responses that must not reveal whether an account exists. */
  minResponseMs: number
}

export interface Exchange {
  ctx: Context
  /** Returns the keys of a rate limit for the caller's network address, combined with the given parts. */
  byAddress: (limit: RateLimit, ...parts: string[]) => LimitedKey[]
  call: (path: string, body?: Record<string, unknown>) => Promise<unknown>
  /** Whether the request comes from this machine, see isLocalRequest. */
  isLocal: boolean
  /** The Cookie header of the request. */
  cookies: string
  /** The User-Agent header. */
  userAgent: string | null
  /** Sets the email address to log if this request is refused. */
  isAbout: (email: string) => void
  /** Returns the browser's id if the browser signed in to this account before. */
  findKnownBrowser: (email: string) => string | null
  /** Marks the browser as known for this account. */
  rememberBrowser: (email: string) => void
  /** Removes the cookies that better-auth set, and ends the session that they belong to. */
  endSession: () => Promise<void>
}

type AnyEndpoint = Endpoint<
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  Access
>

/**
 * Registers an operation. Its response is the result of `run`, without fields that are not in the contract's output.
 */
export type RegisterOperation = <E extends AnyEndpoint>(
  endpoint: E,
  run: (exchange: Exchange, input: ParsedInput<E>) => Promise<unknown>,
) => void

export function createRegister(route: Route, services: AuthRouteServices): RegisterOperation {
  return (endpoint, run) =>
    route.raw(endpoint, async (ctx, input, request, reply) => {
      reply.header('cache-control', 'no-store')
      const output = await run(createExchange(services, ctx, request, reply), input)
      if (ctx.actor && request.method !== 'GET') services.evict(ctx.actor.user_id)
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(z.parse(endpoint.output ?? z.undefined(), output)))
    })
}

export function createExchange(
  services: AuthRouteServices,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  return {
    ctx,
    byAddress: (limit, ...parts) => createAddressKeys(limit, ctx.ip, ...parts),
    call: (path, body) => services.call(body ? { path, body } : { path }, request, reply),
    isLocal: isLocalRequest(request),
    cookies: services.resignCookie(request.headers.cookie ?? ''),
    userAgent: request.headers['user-agent'] ?? null,
    isAbout: (email) => recordAccount(request, email),
    findKnownBrowser: (email) => services.knownBrowser.find(request.headers.cookie ?? '', email),
    rememberBrowser: (email) => void reply.header('set-cookie', services.knownBrowser.issue(email)),
    async endSession() {
      const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
      reply.removeHeader('set-cookie')
      const tokens = cookies.flatMap((cookie) => sessionToken.exec(cookie)?.[1] ?? [])
      if (tokens.length === 0) return
      await ctx.db.query.deleteFrom('sessions').where('token', 'in', tokens).execute()
    },
  }
}

/** Matches the session token in a Set-Cookie header, without its signature. */
const sessionToken = /^(?:__Host-|__Secure-)?velour\.session_token=([^;.]+)\./
