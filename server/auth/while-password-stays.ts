// A sign-in takes as long as its hash, and a new password may come in that time. It ends all sessions of the old one,
// and this sign-in would begin another after it: whoever the new password was to keep out would stay in.
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { AppError } from '../http/app-error.ts'
import type { Context } from '../http/context.ts'
import type { Exchange } from './auth-exchange.ts'

const began = z.object({ token: z.string() })

/** What `signIn` answers; throws `invalid_credentials`, and nobody is signed in, where the password changed meanwhile. */
export async function whilePasswordStays(
  { ctx, dropCookies }: Exchange,
  email: string,
  signIn: () => Promise<unknown>,
): Promise<unknown> {
  const before = await readPasswordHash(ctx, email)
  const result = await signIn()
  if ((await readPasswordHash(ctx, email)) === before) return result
  // Of a sign-in that waits for its second factor nothing but the cookie is known outside.
  dropCookies()
  const session = z.safeParse(began, result)
  if (session.success) {
    await ctx.db.query.deleteFrom('sessions').where('token', '=', session.data.token).execute()
  }
  throw new AppError('invalid_credentials')
}

/**
 * Waits for whoever is setting a new one: what is told stays true until that change has ended all sessions that were
 * there when it was told.
 */
async function readPasswordHash(ctx: Context, email: string): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select a.password from accounts a join profiles p on p.id = a.user_id
     where p.email = ${email} and a.provider_id = 'credential'
       for share of a`.execute(ctx.db.query)
  return rows[0]?.password ?? null
}
