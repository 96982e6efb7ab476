// A sign-in takes long, because of the hashing and the second factor, and a new password may be set meanwhile. The new
// password ends all sessions of the old one, so this sign-in must not start another: the person whom the new password
// locks out would stay signed in.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import type { Exchange } from './auth-exchange.ts'
import { cookieNames, findCookie } from '../../platform/security/cookie-names.ts'

const began = z.object({ token: z.string(), user: z.object({ id: z.uuid() }) })

/**
 * Returns the result of `signIn`. Throws `refusal`, without a session, if the person's password changed meanwhile or
 * the sign-in was for somebody else.
 */
export async function whilePasswordUnchanged(
  { ctx, endSession }: Exchange,
  { person, refusal }: { person: RawBuilder<unknown>; refusal: ErrorCode },
  signIn: () => Promise<unknown>,
): Promise<unknown> {
  const before = await readPassword(ctx, person)
  const result = await signIn()
  const now = before && (await readPassword(ctx, withId(before.user_id)))
  const session = z.safeParse(began, result)
  const isTheirs = !session.success || session.data.user.id === before?.user_id
  if (before && isTheirs && now?.password === before.password) return result
  // Without a second factor yet, only the cookie is known of a pending sign-in.
  await endSession()
  throw new AppError(refusal)
}

export const withEmail = (email: string) => sql`p.email = ${email}`

export const withId = (userId: string) => sql`p.id = ${userId}`

const pendingCookies = [true, false].flatMap((secure) => cookieNames('two_factor', secure))

/** The person of a pending sign-in. better-auth puts a signed identifier into the cookie and stores its hash. */
export function withPendingSignIn(cookies: string): RawBuilder<unknown> {
  const [name = ''] = (findCookie(cookies, pendingCookies) ?? '').split('.')
  const identifier = createHash('sha256').update(name).digest('base64url')
  return sql`p.id::text in (select value from verifications where identifier = ${identifier})`
}

/**
 * Locks the row so that a concurrent password change finishes first: what we read stays valid until that change has
 * ended all sessions that existed when we read.
 */
async function readPassword(ctx: Context, person: RawBuilder<unknown>) {
  const { rows } = await sql<{ user_id: string; password: string | null }>`
    select a.user_id, a.password from accounts a join profiles p on p.id = a.user_id
     where ${person} and a.provider_id = 'credential'
       for share of a`.execute(ctx.db.query)
  return rows[0] ?? null
}
