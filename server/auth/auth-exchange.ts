// What an operation of better-auth has at hand while it is answered, and how its answer leaves.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Access, Endpoint, ParsedInput } from '#contract/endpoint.ts'
import type { Context } from '../http/context.ts'
import { addressKey } from '../http/rate-limit.ts'
import type { Route } from '../http/route.ts'
import type { AuthLimits } from './auth-limits.ts'
import type { BetterAuthCall } from './better-auth-call.ts'
import { cookiePrefix } from './session-cookie.ts'

export interface AuthRouteServices {
  call: (call: BetterAuthCall, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  limits: AuthLimits
  requireEmailVerification: boolean
  /** Drops what this instance keeps about a person, before it hears so from the database. */
  forget: (userId: string) => void
  /** Answers that must not tell whether an account exists take at least this long. */
  answerFloorMs: number
}

export interface Exchange {
  ctx: Context
  /** The caller's address as limits count it. */
  address: string
  call: (path: string, body?: Record<string, unknown>) => Promise<unknown>
  /** The Cookie header of the request. */
  cookies: string
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
    address: addressKey(ctx.ip),
    call: (path, body) => services.call(body ? { path, body } : { path }, request, reply),
    cookies: request.headers.cookie ?? '',
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
