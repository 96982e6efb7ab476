// Asks the signed-in person for the password or an authenticator code again before irreversible changes. Wrong entries
// count against the sign-in limits, so that guessing in an open browser is no faster than guessing at the sign-in.
import { verifyPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import type { ParsedInput } from '#contract/endpoint.ts'
import * as contract from '#contract/sessions.ts'
import { demoPassword } from '#contract/demo.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { RegisterOperation, AuthRouteServices, Exchange } from './auth-exchange.ts'
import { limitPasswordAttempts } from './limit-password-attempts.ts'
import { consumeCode } from './two-factor-routes.ts'

/**
 * Whether the session was confirmed within the last 10 minutes. Uses the database's clock and no cache, so a
 * confirmation is valid immediately on every instance.
 */
export async function isConfirmed(db: Database, sessionId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where(
      'confirmed_at',
      '>',
      sql<string>`now() - make_interval(secs => ${contract.confirmationSeconds})`,
    )
    .executeTakeFirst()
  return row !== undefined
}

export function confirmationRoutes(register: RegisterOperation, services: AuthRouteServices): void {
  register(contract.confirmSession, (exchange, input) => confirmSession(services, exchange, input))
}

async function confirmSession(
  services: AuthRouteServices,
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.confirmSession>,
): Promise<unknown> {
  const { ctx } = exchange
  if (!ctx.actor) throw new AppError('unauthenticated')
  const refund = await limitPasswordAttempts(exchange, services, ctx.actor.email)
  if ('code' in body) await checkCode(exchange, ctx.actor, body.code)
  else await checkPassword(exchange, ctx.actor, body.password)
  await refund()
  const result = await ctx.db.query
    .updateTable('sessions')
    .set({ confirmed_at: sql<string>`now()` })
    .where('id', '=', ctx.actor.session_id)
    .executeTakeFirst()
  // The password was changed and ended the session in the meantime.
  if (result.numUpdatedRows === 0n) throw new AppError('unauthenticated')
  return { status: true }
}

async function checkPassword(
  { ctx, isLocal }: Exchange,
  actor: Actor,
  password: string,
): Promise<void> {
  const account = await ctx.db.query
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', actor.user_id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  const hash = account?.password
  const isPublic = password === demoPassword && !isLocal
  if (isPublic || !hash || !(await verifyPassword({ hash, password }))) {
    throw new AppError('password_wrong')
  }
}

async function checkCode(exchange: Exchange, actor: Actor, typed: string): Promise<void> {
  // Without an enabled second factor, better-auth would accept the code as the last step of enabling it.
  if (!actor.two_factor_enabled) throw new AppError('two_factor_off')
  const code = typed.replaceAll(' ', '')
  await exchange.call('/two-factor/verify-totp', { code })
  await consumeCode(exchange.ctx, actor.user_id, code)
}
