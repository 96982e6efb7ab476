// Password reset links: builds their URL, and finds the account of a token.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { resetTokenParam } from '#contract/auth.ts'
import type { Role } from '#contract/plans.ts'
import { returnParam, signInPath } from '#contract/return-path.ts'
import type { Database } from '../../platform/db/database.ts'

export interface ResetOwner {
  email: string
  role: Exclude<Role, 'banned'>
}

/** The identifier under which better-auth stores a reset token, as a hash. */
export const resetTokenName = (token: string) => `reset-password:${token}`

/** Builds the link. `next` is the page to return to after the password was changed. */
export function buildResetLink(publicUrl: string, token: string, next: string): string {
  const query = new URLSearchParams({ [resetTokenParam]: token, [returnParam]: next })
  return `${publicUrl}${signInPath}?${query}`
}

/** Returns null if the token is not valid. */
export async function findResetOwner(db: Database, token: string): Promise<ResetOwner | null> {
  const identifier = createHash('sha256').update(resetTokenName(token)).digest('base64url')
  const { rows } = await sql<ResetOwner>`
    select p.email, r.role
      from verifications v
      join profiles p on p.id::text = v.value
      join user_roles r on r.user_id = p.id
     where v.identifier = ${identifier} and v.expires_at > now()`.execute(db.query)
  return rows[0] ?? null
}
