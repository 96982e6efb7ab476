// The second factor: codes of an authenticator app, and recovery codes in case it is lost.
import * as z from 'zod/mini'
import * as contract from '#contract/auth.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import { countTry, refundTry, limitFor } from '../../platform/limits/rate-limit.ts'
import type { Answer, AuthRouteServices, Exchange } from './auth-exchange.ts'
import type { AuthLimits } from './auth-limits.ts'
import { finishSignIn, signedIn } from './finish-sign-in.ts'
import { whilePasswordStays, withId, withPendingSignIn } from './while-password-stays.ts'

export function twoFactorRoutes(
  answer: Answer,
  {
    limits,
    notices,
    adminsNeedTwoFactor,
  }: Pick<AuthRouteServices, 'limits' | 'notices' | 'adminsNeedTwoFactor'>,
): void {
  const limited = async (
    exchange: Exchange,
    path: string,
    body: Record<string, unknown>,
    check: (result: unknown) => Promise<void> = async () => {},
  ) => {
    const { ctx, byAddress } = exchange
    // Count the signed-in person, or the address during a sign-in.
    const keys = ctx.actor
      ? [limitFor(limits.ownSettings, ctx.actor.user_id)]
      : byAddress(limits.secondFactorAddress)
    await countTry(ctx.db, keys)
    const result = await whilePasswordStays(exchange, whoTries(exchange), () =>
      oneAtATime(exchange, limits, () => exchange.call(`/two-factor/${path}`, body)),
    )
    await check(result)
    await refundTry(ctx.db, { reset: keys, giveBack: [] })
    return result
  }

  answer(contract.enableTwoFactor, async (exchange, { body }) => {
    requireConfirmedAddress(exchange)
    return limited(exchange, 'enable', { password: body.password })
  })
  answer(contract.verifyTotp, async (exchange, { body }) => {
    // Apps show codes in two groups of digits.
    const code = body.code.replaceAll(' ', '')
    const { ctx } = exchange
    if (ctx.actor && !ctx.actor.two_factor_enabled) requireConfirmedAddress(exchange)
    const result = await limited(exchange, 'verify-totp', { code }, async (found) => {
      if (!ctx.actor) await spendSignInCode(exchange, limits, code, found)
    })
    if (!ctx.actor) await finishSignIn(exchange, notices, result)
    else if (!ctx.actor.two_factor_enabled) await notices.twoFactorChanged(ctx, ctx.actor, true)
    return { status: true }
  })
  answer(contract.verifyBackupCode, async (exchange, { body }) => {
    const result = await limited(exchange, 'verify-backup-code', { code: body.code })
    if (!exchange.ctx.actor) await finishSignIn(exchange, notices, result)
    return { status: true }
  })
  answer(contract.generateBackupCodes, (exchange, { body }) =>
    limited(exchange, 'generate-backup-codes', { password: body.password }),
  )
  answer(contract.disableTwoFactor, async (exchange, { body }) => {
    const { ctx } = exchange
    if (ctx.actor?.role === 'admin' && adminsNeedTwoFactor()) {
      throw new AppError('second_factor_required')
    }
    await limited(exchange, 'disable', { password: body.password })
    if (ctx.actor?.two_factor_enabled) await notices.twoFactorChanged(ctx, ctx.actor, false)
    return { status: true }
  })
}

/** Otherwise somebody could sign up with another person's address and lock them out of it. */
function requireConfirmedAddress({ ctx }: Exchange): void {
  if (ctx.actor && !ctx.actor.email_verified) throw new AppError('two_factor_needs_email')
}

/** Who is entering a code. Switching the second factor on or off also starts a session. */
function whoTries({ ctx, cookies }: Exchange) {
  return ctx.actor
    ? ({ person: withId(ctx.actor.user_id), refusal: 'unauthenticated' } as const)
    : ({ person: withPendingSignIn(cookies), refusal: 'two_factor_expired' } as const)
}

/**
 * better-auth reads a person's set-up and changes it later. Without this lock, a code for one secret could enable a
 * different secret that a second window requested meanwhile and that is in no app.
 */
async function oneAtATime<T>(
  { ctx }: Exchange,
  limits: AuthLimits,
  change: () => Promise<T>,
): Promise<T> {
  if (!ctx.actor) return change()
  const turn = limitFor(limits.secondFactorChange, ctx.actor.user_id)
  try {
    await countTry(ctx.db, [turn])
  } catch (cause) {
    throw cause instanceof AppError ? new AppError('conflict', { cause }) : cause
  }
  try {
    return await change()
  } finally {
    await refundTry(ctx.db, { reset: [turn], giveBack: [] })
  }
}

/** better-auth takes a code as long as it is valid, so the session that a used one just made is ended. */
async function spendSignInCode(
  { ctx, endSession }: Exchange,
  limits: AuthLimits,
  code: string,
  result: unknown,
): Promise<void> {
  const { user } = z.parse(signedIn, result)
  try {
    await spendCode(ctx, limits, user.id, code)
  } catch (error) {
    await endSession()
    throw error
  }
}

/** A code that was taken once is not taken again (RFC 6238 §5.2), whoever looked over the shoulder. */
export async function spendCode(
  ctx: Context,
  limits: AuthLimits,
  userId: string,
  code: string,
): Promise<void> {
  try {
    await countTry(ctx.db, [limitFor(limits.usedCode, userId, code)])
  } catch (cause) {
    throw cause instanceof AppError ? new AppError('two_factor_invalid', { cause }) : cause
  }
}
