// Emails that were written to the outbox folder because there was no mail server. Encrypted copies are kept until
// they expire, and can be sent once a mail server is set up.
import { sql } from 'kysely'
import type { Database, Transaction } from '../db/database.ts'
import type { JobPayload } from '../jobs/job-kinds.ts'
import type { JobQueue } from '../jobs/job-queue.ts'

export async function storeOutboxCopy(
  db: Database,
  { sealed_mail, expires_at, tracked_mail_id }: JobPayload<'send-mail'>,
): Promise<void> {
  await db.query
    .insertInto('kept_mails')
    .values({ sealed_mail, expires_at, tracked_mail_id: tracked_mail_id ?? null })
    .execute()
}

/** Puts the emails that have not expired back into the queue. Returns their number. */
export async function enqueueOutboxCopies(
  trx: Transaction,
  jobs: Pick<JobQueue, 'enqueue'>,
): Promise<number> {
  await deleteExpiredMails(trx)
  const rows = await trx.query.deleteFrom('kept_mails').returningAll().execute()
  for (const { sealed_mail, expires_at, tracked_mail_id } of rows) {
    if (tracked_mail_id !== null) await requeue(trx, tracked_mail_id)
    await jobs.enqueue(trx, 'send-mail', {
      sealed_mail,
      expires_at: new Date(expires_at).toISOString(),
      ...(tracked_mail_id && { tracked_mail_id }),
    })
  }
  return rows.length
}

/** The email was never handed to a mail server, so sending it again can't deliver it twice. */
async function requeue(trx: Transaction, trackedMailId: string): Promise<void> {
  await trx.query
    .updateTable('tracked_mails')
    .set({ state: 'queued' })
    .where('id', '=', trackedMailId)
    .where('state', '=', 'sent')
    .execute()
}

/** Makes the next attempt of delayed emails due now. Returns their number. */
export async function retryDelayedMails(trx: Transaction): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update jobs.job set start_after = now()
     where name = 'send-mail' and state in ('created', 'retry') and start_after > now()`.execute(
    trx.query,
  )
  return Number(numAffectedRows)
}

export async function countWaitingMails(
  handle: Pick<Database, 'query'>,
): Promise<{ queued: number; kept: number }> {
  const { rows } = await sql<{ queued: number; kept: number }>`
    select (select count(*) from jobs.job
             where name = 'send-mail' and state in ('created', 'retry', 'active')) as queued,
           (select count(*) from kept_mails where expires_at > now()) as kept`.execute(handle.query)
  return rows[0] ?? { queued: 0, kept: 0 }
}

/** Called by the periodic cleanup. */
export async function deleteExpiredMails(handle: Pick<Database, 'query'>): Promise<void> {
  await handle.query
    .deleteFrom('kept_mails')
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
}
