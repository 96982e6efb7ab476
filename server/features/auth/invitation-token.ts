// Invitation links: builds their URL, and finds the invitation of a token.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { accountInvitationHash } from '#contract/invitations.ts'
import { signInPath } from '#contract/return-path.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export function makeInvitationToken(): { token: string; token_hash: string } {
  const token = randomBytes(24).toString('base64url')
  return { token, token_hash: hashInvitationToken(token) }
}

export const hashInvitationToken = (token: string) =>
  createHash('sha256').update(token).digest('hex')

export const invitationLink = (publicUrl: string, token: string) =>
  `${publicUrl}${signInPath}${accountInvitationHash}${token}`

/**
 * Whether an invitation `i` is void: it grants a role above member, and its sender is no longer an admin. Only admins
 * can grant such roles, and this must still hold when the account is created.
 */
export const isVoid = sql<boolean>`(i.role <> 'member' and not exists (
  select from user_roles ir join profiles ip on ip.id = ir.user_id
   where ir.user_id = i.invited_by and ir.role = 'admin' and ip.banned_at is null))`

/** Throws `invitation_invalid`, or `email_exists` if the address has an account by now. */
export async function findInvitation(handle: Handle, token: string, now: Date) {
  const found = await handle.query
    .selectFrom('invitations as i')
    .leftJoin('profiles as p', 'p.email', 'i.email')
    .select(['i.id', 'i.email', 'i.display_name', 'i.role', 'i.subscription_tier', 'i.invited_by'])
    .select(sql<boolean>`p.id is not null`.as('has_account'))
    .where('i.token_hash', '=', hashInvitationToken(token))
    .where('i.expires_at', '>', now.toISOString())
    .where(sql<boolean>`not ${isVoid}`)
    .executeTakeFirst()
  if (!found) throw new AppError('invitation_invalid')
  if (found.has_account) throw new AppError('email_exists')
  return found
}
