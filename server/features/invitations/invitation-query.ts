// The SELECT for invitations in the back office.
import { sql } from 'kysely'
import type { Invitation } from '#contract/admin/admin-invitations.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { isVoid } from '../auth/invitation-token.ts'
import { namedPerson } from '../users/named-person.ts'

export function selectInvitations(handle: Handle, now: Date) {
  return handle.query
    .selectFrom('invitations as i')
    .leftJoin('profiles as who', 'who.id', 'i.invited_by')
    .select([
      'i.id',
      'i.email',
      'i.display_name',
      'i.role',
      'i.subscription_tier',
      'i.created_at',
      'i.sent_at',
      'i.expires_at',
      namedPerson.as('invited_by'),
      sql<Invitation['state']>`case when ${isVoid} then 'void'
        when i.expires_at <= ${now.toISOString()} then 'expired'
        when i.sent_at is null then 'waiting' else 'open' end`.as('state'),
    ])
}

/** Throws `not_found`. */
export async function readInvitation(handle: Handle, id: string, now: Date): Promise<Invitation> {
  const found = await selectInvitations(handle, now).where('i.id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found
}
