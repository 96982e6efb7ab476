// The better-auth operations that Velour exposes, each with our rate limits and error codes. All other better-auth
// operations are unreachable.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import * as contract from '#contract/auth.ts'
import * as invitationContract from '#contract/invitations.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { demoPassword } from '#contract/demo.ts'
import { recordSignUpConsent } from './sign-up-consent.ts'
import { recordReferral, recordSignUpPage } from './sign-up-page.ts'
import { authLimits } from '#contract/rate-limit.ts'
import { readReturnPath, returnParam, signInPath } from '#contract/return-path.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import { createLimitedKey } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit, isWithinLimit } from '../../platform/limits/rate-limit.ts'
import type { Route } from '../../platform/http/route.ts'
import { acceptInvitation, openInvitation } from './accept-invitation.ts'
import { confirmationRoutes } from './confirm-session.ts'
import { limitPasswordAttempts } from './limit-password-attempts.ts'
import {
  createRegister,
  createExchange,
  type AuthRouteServices,
  type Exchange,
} from './auth-exchange.ts'
import { innerLimits } from './inner-limits.ts'
import { checkNewPassword } from './new-password.ts'
import { parseEmail } from './parse-email.ts'
import { findResetOwner } from './reset-token.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { twoFactorRoutes } from './two-factor-routes.ts'
import { whilePasswordUnchanged, withEmail } from './while-password-unchanged.ts'

export function authRoutes(route: Route, services: AuthRouteServices): void {
  const register = createRegister(route, services)

  register(contract.signUp, (exchange, input) => signUp(services, exchange, input))

  register(contract.signIn, (exchange, input) => signIn(services, exchange, input))

  register(contract.signOut, signOut)

  register(contract.getSession, getSession)

  register(contract.requestPasswordReset, (exchange, input) =>
    requestPasswordReset(services, exchange, input),
  )

  register(contract.resetPassword, resetPassword)

  route.raw(contract.confirmEmail, (ctx, input, request, reply) =>
    confirmEmail(createExchange(services, ctx, request, reply), input, reply),
  )

  register(contract.sendConfirmation, sendConfirmation)

  register(invitationContract.openInvitation, openInvitation)

  register(invitationContract.acceptInvitation, (exchange, input) =>
    acceptInvitation(services, exchange, input),
  )

  twoFactorRoutes(register, services)
  confirmationRoutes(register, services)
}

async function signUp(
  services: AuthRouteServices,
  { ctx, byAddress, call }: Exchange,
  { body }: ParsedInput<typeof contract.signUp>,
): Promise<unknown> {
  const email = parseEmail(body.email)
  await checkNewPassword(body.password)
  await consumeRateLimit(createSharedStore(ctx.db), [
    createLimitedKey(authLimits.signUp, email),
    ...byAddress(authLimits.signUpAddress),
  ])
  const { password, name = '', redirectTo: callbackURL } = body
  const signingUp = call('/sign-up/email', { email, password, name, callbackURL })
    .then(() => recordSignUpConsent(ctx.db, email))
    .then(() => recordSignUpPage(ctx.db, email, callbackURL))
    .then(() => recordReferral(ctx.db, email, body.referral_code))
    .catch((error: unknown) => ignoreTakenAddress(ctx, email, error))
  await delayResponse(services.minResponseMs, signingUp)
  return { confirmEmail: services.requireEmailVerification }
}

async function signIn(
  services: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.signIn>,
): Promise<unknown> {
  const { call } = exchange
  const email = parseEmail(body.email)
  exchange.isAbout(email)
  const refund = await limitPasswordAttempts(exchange, services, email)
  const person = { person: withEmail(email), refusal: 'invalid_credentials' } as const
  const signingIn = whilePasswordUnchanged(exchange, person, () => {
    // The demo password is public. Accept it only in requests from this machine, for every account that still has it.
    if (body.password === demoPassword && !exchange.isLocal) {
      throw new AppError('invalid_credentials')
    }
    return call('/sign-in/email', { email, password: body.password })
  })
  const result = await delayError(services.minResponseMs, signingIn)
  await refund()
  const twoFactorRedirect = isTwoFactorRedirect(result)
  if (!twoFactorRedirect) await finishSignIn(exchange, services.notices, result)
  return { twoFactorRedirect }
}

async function signOut({ call }: Exchange): Promise<unknown> {
  await call('/sign-out', {})
  return { success: true }
}

function getSession({ call }: Exchange): Promise<unknown> {
  return call('/get-session')
}

async function requestPasswordReset(
  services: AuthRouteServices,
  { ctx, byAddress, call, isAbout }: Exchange,
  { body }: ParsedInput<typeof contract.requestPasswordReset>,
): Promise<unknown> {
  const email = parseEmail(body.email)
  isAbout(email)
  await consumeRateLimit(createSharedStore(ctx.db), byAddress(authLimits.resetMailAddress))
  const { redirectTo } = body
  // Above the limit the response is the same, but no email is sent. An error would tell strangers that the limit is
  // reached, and the links that were already sent still work.
  const sendingMail = isWithinLimit(
    createSharedStore(ctx.db),
    createLimitedKey(innerLimits.resetMail, email),
  ).then((isWithin) => (isWithin ? call('/request-password-reset', { email, redirectTo }) : null))
  await delayResponse(services.minResponseMs, sendingMail)
  return { status: true }
}

async function resetPassword(
  { ctx, byAddress, call, rememberBrowser }: Exchange,
  { body }: ParsedInput<typeof contract.resetPassword>,
): Promise<unknown> {
  await checkNewPassword(body.newPassword)
  await consumeRateLimit(createSharedStore(ctx.db), byAddress(authLimits.mailTokenAddress))
  const owner = await findResetOwner(ctx.db, body.token)
  if (owner) await checkNewPassword(body.newPassword, owner.role)
  await call('/reset-password', { token: body.token, newPassword: body.newPassword })
  // Whoever has the link owns the address, so mark this browser as known: the new password then works despite earlier
  // wrong attempts.
  if (owner) rememberBrowser(owner.email)
  return { status: true }
}

async function sendConfirmation(
  { ctx, call }: Exchange,
  { body }: ParsedInput<typeof contract.sendConfirmation>,
): Promise<unknown> {
  if (!ctx.actor) throw new AppError('unauthenticated')
  const { email, email_verified } = ctx.actor
  if (email_verified) throw new AppError('email_already_confirmed')
  await consumeRateLimit(createSharedStore(ctx.db), [
    createLimitedKey(authLimits.confirmMail, email),
  ])
  await call('/send-verification-email', { email, callbackURL: body.redirectTo })
  return { status: true }
}

/**
 * When two concurrent sign-ups use the same address, the second fails because the account exists. It gets the same
 * response as any sign-up with a taken address, so nothing is revealed.
 */
async function ignoreTakenAddress(ctx: Context, email: string, error: unknown): Promise<void> {
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

async function confirmEmail(
  { call }: Exchange,
  { query }: ParsedInput<typeof contract.confirmEmail>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const result = await confirm(call, query.token)
  const next = readReturnPath(query.next)
  if (next !== null) result.set(returnParam, next)
  return reply.header('cache-control', 'no-store').redirect(`${signInPath}?${result}`, 303)
}

/** Confirms an address. Returns the query string that makes the sign-in screen show the result. */
async function confirm(call: Exchange['call'], token: string): Promise<URLSearchParams> {
  try {
    await call(`/verify-email?${new URLSearchParams({ token })}`)
    return new URLSearchParams({ [contract.confirmedParam]: 'true' })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'reset_token_invalid') throw error
    return new URLSearchParams({ [contract.linkErrorParam]: 'confirm_token_invalid' })
  }
}

/**
 * Delays error responses to a minimum duration, so that the response time does not reveal whether an account exists.
 * Successful responses are not delayed.
 */
async function delayError<T>(ms: number, work: Promise<T>): Promise<T> {
  const floor = sleep(ms)
  try {
    return await work
  } catch (error) {
    await floor
    throw error
  }
}

/** Waits at least `ms`, whether `work` succeeds or fails. */
async function delayResponse<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(ms)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
