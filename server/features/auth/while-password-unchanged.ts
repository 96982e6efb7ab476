// Ensures that a sign-in with an old password fails if the password changes while it runs. Hashing and the second
// factor make a sign-in slow, so this can happen. A new password ends all existing sessions. If the sign-in started
// another session afterwards, someone who knows only the old password would be signed in.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import type { Exchange } from './auth-exchange.ts'
import { listCookieNames, findCookie } from '../../platform/security/cookie-names.ts'

const began = z.object({ token: z.string(), user: z.object({ id: z.uuid() }) })

/**
 * Returns the result of `signIn`. If the password changed in the meantime or another person was signed in, ends the
 * session and throws `refusal`.
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
  // A sign-in that still needs a code has no session yet, so its person cannot be compared.
  const isTheirs = !session.success || session.data.user.id === before?.user_id
  if (before && isTheirs && now?.password === before.password) return result
  await endSession()
  throw new AppError(refusal)
}

export const withEmail = (email: string) => sql`p.email = ${email}`

export const withId = (userId: string) => sql`p.id = ${userId}`

const pendingCookies = [true, false].flatMap((secure) => listCookieNames('two_factor', secure))

/**
 * A subquery for the person of a sign-in that still needs a code. better-auth stores a signed identifier in the cookie
 * and its hash in the database.
 */
export function withPendingSignIn(cookies: string): RawBuilder<unknown> {
  const [name = ''] = (findCookie(cookies, pendingCookies) ?? '').split('.')
  const identifier = createHash('sha256').update(name).digest('base64url')
  return sql`p.id::text in (select value from verifications where identifier = ${identifier})`
}

/**
 * Reads the password hash and locks the row, so that a concurrent password change finishes first. A later password
 * change ends all sessions, including the one that this sign-in started.
 */
async function readPassword(ctx: Context, person: RawBuilder<unknown>) {
  const { rows } = await sql<{ user_id: string; password: string | null }>`
    select a.user_id, a.password from accounts a join profiles p on p.id = a.user_id
     where ${person} and a.provider_id = 'credential'
       for share of a`.execute(ctx.db.query)
  return rows[0] ?? null
}
