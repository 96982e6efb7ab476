// A sign-in takes as long as its hash, its second factor some moments more, and a new password may come in that time. It
// ends all sessions of the old one, and this sign-in would begin another after it: whoever the new password was to keep
// out would stay in.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../http/app-error.ts'
import type { Context } from '../http/context.ts'
import type { Exchange } from './auth-exchange.ts'
import { cookiePrefix } from './session-cookie.ts'

const began = z.object({ token: z.string(), user: z.object({ id: z.uuid() }) })

/**
 * What `signIn` answers for this person; throws `refusal`, and nobody is signed in, where their password changed
 * meanwhile or it signed in somebody else.
 */
export async function whilePasswordStays(
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
  // Of a sign-in that waits for its second factor nothing but the cookie is known outside.
  await endSession()
  throw new AppError(refusal)
}

export const withEmail = (email: string) => sql`p.email = ${email}`

export const withId = (userId: string) => sql`p.id = ${userId}`

const pendingCookie = new RegExp(`(?:^|;)\\s*(?:__Secure-)?${cookiePrefix}\\.two_factor=([^;.]+)`)

/** In the middle of signing in: better-auth signs the name of what waits, and keeps the name's hash. */
export function withPendingSignIn(cookies: string): RawBuilder<unknown> {
  const [, name = ''] = pendingCookie.exec(cookies) ?? []
  const identifier = createHash('sha256').update(name).digest('base64url')
  return sql`p.id::text in (select value from verifications where identifier = ${identifier})`
}

/**
 * Waits for whoever is setting a new one: what is told stays true until that change has ended all sessions that were
 * there when it was told.
 */
async function readPassword(ctx: Context, person: RawBuilder<unknown>) {
  const { rows } = await sql<{ user_id: string; password: string | null }>`
    select a.user_id, a.password from accounts a join profiles p on p.id = a.user_id
     where ${person} and a.provider_id = 'credential'
       for share of a`.execute(ctx.db.query)
  return rows[0] ?? null
}
