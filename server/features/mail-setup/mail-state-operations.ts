// Returns the number of queued emails and the last failure, retries delayed emails, and sends test emails.
import type * as contract from '#contract/admin/service/admin-mail.ts'
import type { MailFailureReason } from '#contract/mail/mail-server.ts'
import type { Output } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import {
  countWaitingMails,
  enqueueOutboxCopies,
  retryDelayedMails,
} from '../../platform/mail/outbox-copies.ts'
import { readMailFailure } from '../../platform/mail/mail-failure.ts'
import { testMail } from '../../platform/mail/mail-texts.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Log } from '../../platform/process/log.ts'
import type { Branding } from '../settings/branding.ts'

export interface MailStateServices {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  jobs: Pick<JobQueue, 'enqueue'>
  mailer: Mailer
  log: Log
}

export async function getMailState(
  ctx: MemberContext,
): Promise<Output<typeof contract.getMailState>> {
  const { sent_at, failed_at, reason, reply } = await ctx.db.query
    .selectFrom('mail_state')
    .selectAll()
    .executeTakeFirstOrThrow()
  return {
    ...(await countWaitingMails(ctx.db)),
    sent_at,
    failed_at,
    // Only `saveFailure` writes this column, so the cast is safe.
    failure: reason === null ? null : { reason: reason as MailFailureReason, reply },
  }
}

export async function retryMails(
  { mailer, jobs }: MailStateServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.retryMails>> {
  if (!mailer.sendsBySmtp) throw new AppError('mail_not_set_up')
  return transaction(ctx.db, async (trx) => {
    const retried = (await retryDelayedMails(trx)) + (await enqueueOutboxCopies(trx, jobs))
    await writeAudit(ctx, trx, {
      action: 'retry',
      entity: 'job',
      entity_id: null,
      after: { mails: retried },
    })
    return { retried }
  })
}

/** Sends a test email directly, not through the queue, so that the response contains the result. */
export async function sendTestMail(
  { config, branding, mailer, log }: MailStateServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.sendTestMail>> {
  if (!mailer.sendsBySmtp) throw new AppError('mail_not_set_up')
  const { email } = ctx.actor
  const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
  try {
    await mailer.send(testMail(email, site))
    return { to: email, failure: null }
  } catch (error) {
    log.warn({ err: error }, 'a test email could not be sent')
    return { to: email, failure: readMailFailure(error) }
  }
}
