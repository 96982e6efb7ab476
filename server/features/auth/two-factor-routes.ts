// The second factor for sign-ins: codes from an authenticator app, and recovery codes in case the device is lost.
import * as z from 'zod/mini'
import * as contract from '#contract/auth.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { authLimits } from '#contract/rate-limit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import { createLimitedKey } from '../../platform/limits/limit-keys.ts'
import { refundRateLimit, createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit, isWithinLimit } from '../../platform/limits/rate-limit.ts'
import type { RegisterOperation, AuthRouteServices, Exchange } from './auth-exchange.ts'
import { innerLimits } from './inner-limits.ts'
import { finishSignIn, signedIn } from './finish-sign-in.ts'
import { whilePasswordUnchanged, withId, withPendingSignIn } from './while-password-unchanged.ts'

export function twoFactorRoutes(register: RegisterOperation, services: AuthRouteServices): void {
  register(contract.enableTwoFactor, (exchange, input) =>
    enableTwoFactor(services, exchange, input),
  )
  register(contract.verifyTotp, (exchange, input) => verifyTotp(services, exchange, input))
  register(contract.verifyBackupCode, (exchange, input) =>
    verifyBackupCode(services, exchange, input),
  )
  register(contract.generateBackupCodes, generateBackupCodes)
  register(contract.disableTwoFactor, (exchange, input) =>
    disableTwoFactor(services, exchange, input),
  )
}

async function enableTwoFactor(
  { branding }: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.enableTwoFactor>,
): Promise<unknown> {
  requireConfirmedAddress(exchange)
  // The site's name, which authenticator apps show next to the codes.
  const issuer = branding().brand_name
  return callWithLimit(exchange, 'enable', { password: body.password, issuer })
}

async function verifyTotp(
  services: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.verifyTotp>,
): Promise<unknown> {
  // Remove spaces: authenticator apps show codes in two groups of digits.
  const code = body.code.replaceAll(' ', '')
  const { ctx } = exchange
  if (ctx.actor && !ctx.actor.two_factor_enabled) requireConfirmedAddress(exchange)
  const result = await callWithLimit(exchange, 'verify-totp', { code }, async (found) => {
    if (!ctx.actor) await consumeSignInCode(exchange, code, found)
  })
  if (!ctx.actor) await finishSignIn(exchange, services.notices, result)
  else if (!ctx.actor.two_factor_enabled)
    await services.notices.twoFactorChanged(ctx, ctx.actor, true)
  return { status: true }
}

async function verifyBackupCode(
  services: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.verifyBackupCode>,
): Promise<unknown> {
  const result = await callWithLimit(exchange, 'verify-backup-code', { code: body.code })
  if (!exchange.ctx.actor) await finishSignIn(exchange, services.notices, result)
  return { status: true }
}

function generateBackupCodes(
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.generateBackupCodes>,
): Promise<unknown> {
  return callWithLimit(exchange, 'generate-backup-codes', { password: body.password })
}

async function disableTwoFactor(
  services: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.disableTwoFactor>,
): Promise<unknown> {
  const { ctx } = exchange
  if (ctx.actor?.role === 'admin' && services.adminsNeedTwoFactor()) {
    throw new AppError('second_factor_required')
  }
  await callWithLimit(exchange, 'disable', { password: body.password })
  if (ctx.actor?.two_factor_enabled) await services.notices.twoFactorChanged(ctx, ctx.actor, false)
  return { status: true }
}

/** Calls better-auth and limits wrong codes and passwords. A correct one resets the count. */
async function callWithLimit(
  exchange: Exchange,
  path: string,
  body: Record<string, unknown>,
  check: (result: unknown) => Promise<void> = async () => {},
): Promise<unknown> {
  const { ctx, byAddress } = exchange
  // Attempts are counted per signed-in person, or per network address during a sign-in.
  const keys = ctx.actor
    ? [createLimitedKey(authLimits.ownSettings, ctx.actor.user_id)]
    : byAddress(authLimits.secondFactorAddress)
  await consumeRateLimit(createSharedStore(ctx.db), keys)
  const result = await whilePasswordUnchanged(exchange, findCodeOwner(exchange), () =>
    serializeChange(exchange, () => exchange.call(`/two-factor/${path}`, body)),
  )
  await check(result)
  await refundRateLimit(ctx.db, { reset: keys, giveBack: [] })
  return result
}

/** Otherwise, people could sign up with someone else's address and lock its owner out with a second factor. */
function requireConfirmedAddress({ ctx }: Exchange): void {
  if (ctx.actor && !ctx.actor.email_verified) throw new AppError('two_factor_needs_email')
}

/**
 * The person whose code is checked: the signed-in person, or the one who is signing in. Enabling or disabling the
 * second factor also starts a session.
 */
function findCodeOwner({ ctx, cookies }: Exchange) {
  return ctx.actor
    ? ({ person: withId(ctx.actor.user_id), refusal: 'unauthenticated' } as const)
    : ({ person: withPendingSignIn(cookies), refusal: 'two_factor_expired' } as const)
}

/**
 * better-auth reads a person's setup first and changes it later. Without this lock, a code for one secret could enable
 * another secret that a second window requested in between and that is in no authenticator app.
 */
async function serializeChange<T>({ ctx }: Exchange, change: () => Promise<T>): Promise<T> {
  if (!ctx.actor) return change()
  const turn = createLimitedKey(innerLimits.secondFactorChange, ctx.actor.user_id)
  if (!(await isWithinLimit(createSharedStore(ctx.db), turn))) throw new AppError('conflict')
  try {
    return await change()
  } finally {
    await refundRateLimit(ctx.db, { reset: [turn], giveBack: [] })
  }
}

/**
 * better-auth accepts a code repeatedly while it is valid. If the code was already used, end the session that it
 * started.
 */
async function consumeSignInCode(
  { ctx, endSession }: Exchange,
  code: string,
  result: unknown,
): Promise<void> {
  const { user } = z.parse(signedIn, result)
  try {
    await consumeCode(ctx, user.id, code)
  } catch (error) {
    await endSession()
    throw error
  }
}

/** Accepts each code once (RFC 6238 §5.2), so that someone who saw it cannot use it again. */
export async function consumeCode(ctx: Context, userId: string, code: string): Promise<void> {
  const used = createLimitedKey(innerLimits.usedCode, userId, code)
  if (!(await isWithinLimit(createSharedStore(ctx.db), used)))
    throw new AppError('two_factor_invalid')
}
