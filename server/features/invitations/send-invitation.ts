// Sends an invitation. Each email has a new token, which invalidates the previous one.
import { sql } from 'kysely'
import { accountInvitationDays } from '#contract/invitations.ts'
import { isPremium, getTierStatus, type Tier } from '#contract/plans.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { invitationMail } from '../../platform/mail/member-mails.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { invitationLink, makeInvitationToken } from '../auth/invitation-token.ts'
import type { Branding } from '../settings/branding.ts'

const dayMs = 24 * 3_600_000

export interface InvitationServices {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

export const invitationEnd = (now: Date) =>
  new Date(now.getTime() + accountInvitationDays * dayMs).toISOString()

/**
 * Enqueues the email with a new link that expires after some days. The caller must hold the lock on the invitation's
 * row.
 */
export async function sendInvitation(
  services: InvitationServices,
  trx: Transaction,
  invitation: { id: string; email: string; subscription_tier: Tier; invited_by: string | null },
): Promise<void> {
  const { config, branding, now } = services
  const { id, email, subscription_tier, invited_by } = invitation
  const { token, token_hash } = makeInvitationToken()
  const sent = { token_hash, sent_at: now().toISOString(), expires_at: invitationEnd(now()) }
  await trx.query.updateTable('invitations').set(sent).where('id', '=', id).execute()
  const inviter = await trx.query
    .selectFrom('profiles')
    .select('display_name')
    .where('id', '=', sql<string>`${invited_by}::uuid`)
    .executeTakeFirst()
  const mail = invitationMail(email, branding().brand_name, {
    inviter: inviter?.display_name ?? '',
    isPremium: isPremium(getTierStatus(subscription_tier)),
    link: invitationLink(config.publicUrl, token),
    days: accountInvitationDays,
  })
  await enqueueMail(trx, services, mail)
}
