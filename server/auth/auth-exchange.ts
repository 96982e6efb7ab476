// What an operation of better-auth has at hand while it is answered, and how its answer leaves.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Access, Endpoint, ParsedInput } from '#contract/endpoint.ts'
import type { Context } from '../http/context.ts'
import { isLocalRequest } from '../http/local-request.ts'
import { limitByAddress, type LimitedKey, type RateLimit } from '../http/rate-limit.ts'
import { noteAccount } from '../http/refusal-log.ts'
import type { Route } from '../http/route.ts'
import type { AccountNotices } from './account-notices.ts'
import type { AuthLimits } from './auth-limits.ts'
import type { BetterAuthCall } from './better-auth-call.ts'
import type { KnownBrowser } from './known-browser.ts'
import { cookiePrefix } from './session-cookie.ts'

export interface AuthRouteServices {
  call: (call: BetterAuthCall, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  limits: AuthLimits
  notices: AccountNotices
  knownBrowser: KnownBrowser
  /** Mails the owner of this address, if there is one, that its password is being guessed. */
  warnOwner: (email: string) => Promise<void>
  requireEmailVerification: boolean
  /** Whether admins without a second factor are refused. */
  adminsNeedTwoFactor: () => boolean
  /** Drops what this instance keeps about a person, before it hears so from the database. */
  forget: (userId: string) => void
  /** Answers that must not tell whether an account exists take at least this long. */
  answerFloorMs: number
}

export interface Exchange {
  ctx: Context
  /** A limit for the caller's address, beside what else is limited together with it. */
  byAddress: (limit: RateLimit, ...parts: string[]) => LimitedKey[]
  call: (path: string, body?: Record<string, unknown>) => Promise<unknown>
  /** As isLocalRequest has it. */
  isLocal: boolean
  /** The Cookie header of the request. */
  cookies: string
  /** What the browser says of itself. */
  userAgent: string | null
  /** Whom a refusal of this request is about, for the log. */
  isAbout: (email: string) => void
  /** Names the browser, where it signed in to this account before. */
  findKnownBrowser: (email: string) => string | null
  /** From now on the browser is known for this account. */
  rememberBrowser: (email: string) => void
  /** Takes back the cookies that better-auth set, and the session that is in them. */
  endSession: () => Promise<void>
}

type AnyEndpoint = Endpoint<
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  Access
>

/** Registers an operation that answers with what `run` found, as far as the contract's output has it. */
export type Answer = <E extends AnyEndpoint>(
  endpoint: E,
  run: (exchange: Exchange, input: ParsedInput<E>) => Promise<unknown>,
) => void

export function createAnswer(route: Route, services: AuthRouteServices): Answer {
  return (endpoint, run) =>
    route.raw(endpoint, async (ctx, input, request, reply) => {
      reply.header('cache-control', 'no-store')
      const output = await run(exchangeOf(services, ctx, request, reply), input)
      if (ctx.actor && request.method !== 'GET') services.forget(ctx.actor.user_id)
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(z.parse(endpoint.output ?? z.undefined(), output)))
    })
}

export function exchangeOf(
  services: AuthRouteServices,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  return {
    ctx,
    byAddress: (limit, ...parts) => limitByAddress(limit, ctx.ip, ...parts),
    call: (path, body) => services.call(body ? { path, body } : { path }, request, reply),
    isLocal: isLocalRequest(request),
    cookies: request.headers.cookie ?? '',
    userAgent: request.headers['user-agent'] ?? null,
    isAbout: (email) => noteAccount(request, email),
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

/** In a Set-Cookie header, before its signature. */
const sessionToken = new RegExp(`^(?:__Secure-)?${cookiePrefix}\\.session_token=([^;.]+)\\.`)
