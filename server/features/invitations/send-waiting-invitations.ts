// Sends the invitations of a list at a limited rate. A thousand simultaneous emails could be treated as spam and would
// delay password emails. The token is created when the email is sent, so a revoked invitation is never sent.
import { sql } from 'kysely'
import { invitationMailsPerMinute } from '#contract/admin/admin-invitations.ts'
import { lockNames, tryLockByName } from '../../platform/db/advisory-locks.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { isVoid } from '../auth/invitation-token.ts'
import { sendInvitation, type InvitationServices } from './send-invitation.ts'

/** Number of invitations per transaction. */
const batchSize = 5
const minuteMs = 60_000

/** Sends the next invitations and returns how many. */
export async function sendWaitingInvitations(
  services: InvitationServices & { db: Database },
): Promise<number> {
  const { db, now } = services
  return transaction(db, async (trx) => {
    if (!(await tryLockByName(trx, lockNames.waitingInvitations()))) return 0
    const { sent } = await trx.query
      .selectFrom('invitations')
      .select(sql<number>`count(*)`.as('sent'))
      .where('sent_at', '>', new Date(now().getTime() - minuteMs).toISOString())
      .executeTakeFirstOrThrow()
    const waiting = await trx.query
      .selectFrom('invitations as i')
      .select(['i.id', 'i.email', 'i.subscription_tier', 'i.invited_by'])
      .where('i.sent_at', 'is', null)
      .where('i.expires_at', '>', now().toISOString())
      .where(sql<boolean>`not ${isVoid}`)
      .where(sql<boolean>`not exists (select from profiles p where p.email = i.email)`)
      .orderBy('i.created_at')
      .orderBy('i.id')
      .limit(Math.max(0, Math.min(batchSize, invitationMailsPerMinute - sent)))
      .forUpdate('i')
      .skipLocked()
      .execute()
    for (const invitation of waiting) await sendInvitation(services, trx, invitation)
    return waiting.length
  })
}
