// The operations of better-auth that Velour answers, each under our limits and in our error codes.
// What is not listed here does not exist.
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import * as contract from '#contract/auth.ts'
import { AppError } from '../http/app-error.ts'
import type { Context } from '../http/context.ts'
import { countTry, forgiveTry, limitFor } from '../http/rate-limit.ts'
import type { Route } from '../http/route.ts'
import { createAnswer, exchangeOf, type AuthRouteServices, type Exchange } from './auth-exchange.ts'
import { checkNewPassword, parseEmail } from './credentials.ts'
import { twoFactorRoutes } from './two-factor-routes.ts'
import { whilePasswordStays, withEmail } from './while-password-stays.ts'

export function authRoutes(route: Route, services: AuthRouteServices): void {
  const { limits } = services
  const answer = createAnswer(route, services)

  answer(contract.signUp, async ({ ctx, address, call }, { body }) => {
    const email = parseEmail(body.email)
    checkNewPassword(body.password)
    await countTry(ctx.db, [
      limitFor(limits.signUp, email),
      limitFor(limits.signUpAddress, address),
    ])
    const { password, name = '' } = body
    const signingUp = call('/sign-up/email', { email, password, name }).catch((error: unknown) =>
      forgiveTaken(ctx, email, error),
    )
    await atLeast(services.answerFloorMs, signingUp)
    return { confirmEmail: services.requireEmailVerification }
  })

  answer(contract.signIn, async (exchange, { body }) => {
    const { ctx, address, call } = exchange
    const email = parseEmail(body.email)
    const account = limitFor(limits.signIn, email, address)
    const everyAccount = limitFor(limits.signInAddress, address)
    await countTry(ctx.db, [account, everyAccount])
    const person = { person: withEmail(email), refusal: 'invalid_credentials' } as const
    const signingIn = whilePasswordStays(exchange, person, () =>
      call('/sign-in/email', { email, password: body.password }),
    )
    const result = await refuseAfter(services.answerFloorMs, signingIn)
    await forgiveTry(ctx.db, { reset: [account], giveBack: [everyAccount] })
    return { twoFactorRedirect: isTwoFactorRedirect(result) }
  })

  answer(contract.signOut, async ({ call }) => {
    await call('/sign-out', {})
    return { success: true }
  })

  answer(contract.getSession, ({ call }) => call('/get-session'))

  answer(contract.requestPasswordReset, async ({ ctx, address, call }, { body }) => {
    const email = parseEmail(body.email)
    await countTry(ctx.db, [
      limitFor(limits.resetMail, email),
      limitFor(limits.resetMailAddress, address),
    ])
    const { redirectTo } = body
    await atLeast(services.answerFloorMs, call('/request-password-reset', { email, redirectTo }))
    return { status: true }
  })

  answer(contract.resetPassword, async ({ ctx, address, call }, { body }) => {
    checkNewPassword(body.newPassword)
    await countTry(ctx.db, [limitFor(limits.mailTokenAddress, address)])
    await call('/reset-password', { token: body.token, newPassword: body.newPassword })
    return { status: true }
  })

  route.raw(contract.confirmEmail, async (ctx, { query }, request, reply) => {
    const { address, call } = exchangeOf(services, ctx, request, reply)
    await countTry(ctx.db, [limitFor(limits.mailTokenAddress, address)])
    const result = await confirm(call, query.token)
    return reply.header('cache-control', 'no-store').redirect(`/auth?${result}`, 303)
  })

  twoFactorRoutes(answer, limits)
}

/**
 * Two sign-ups with one address at once: the second meets the first one's account. It is answered
 * like any other sign-up with a taken address, which tells nothing.
 */
async function forgiveTaken(ctx: Context, email: string, error: unknown): Promise<void> {
  const taken =
    error instanceof AppError &&
    error.code === 'unavailable' &&
    (await ctx.db.query
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst())
  if (!taken) throw error
}

function isTwoFactorRedirect(result: unknown): boolean {
  return z.safeParse(z.object({ twoFactorRedirect: z.literal(true) }), result).success
}

/** The query that tells the sign-in screen how it went. */
async function confirm(call: Exchange['call'], token: string): Promise<URLSearchParams> {
  try {
    await call(`/verify-email?${new URLSearchParams({ token })}`)
    return new URLSearchParams({ [contract.confirmedParam]: 'true' })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'reset_token_invalid') throw error
    return new URLSearchParams({ [contract.linkErrorParam]: 'confirm_token_invalid' })
  }
}

/** Success says what it says; a refusal must not tell by its haste whom it is about. */
async function refuseAfter<T>(ms: number, work: Promise<T>): Promise<T> {
  const floor = sleep(ms)
  try {
    return await work
  } catch (error) {
    await floor
    throw error
  }
}

async function atLeast<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(ms)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
