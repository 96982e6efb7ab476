// Emails that must not be sent twice: news and announcements. Before an email is handed to the mail server, its state
// becomes `sending`. If the process is killed then, the state stays `sending`, and the email is never sent again.
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { TrackedMailKind } from '#contract/news.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'
import { getErrorMessage } from './mail-failure.ts'
import type { Mail } from './mail-texts.ts'
import { isPermanentRefusal, isCertainlyUnsent, type Mailer } from './mailer.ts'
import { deleteRefusals, saveRefusal } from './refused-addresses.ts'

interface TrackedSending {
  db: Database
  mailer: Pick<Mailer, 'send'>
  log: FastifyBaseLogger
}

const retentionDays = 90
/** Queued emails are deleted after this time, because no email is worth sending later. */
const queuedDays = 7

/** Sends an email unless it was sent before. Throws if it must be retried. */
export async function sendTrackedMail(
  { db, mailer, log }: TrackedSending,
  id: string,
  mail: Mail,
  { isExpired }: { isExpired: boolean },
): Promise<void> {
  const claimed = await db.query
    .updateTable('tracked_mails')
    .set({ state: isExpired ? 'failed' : 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  // The email was canceled, its recipient was deleted, or a killed process may already have sent it.
  if (!claimed || isExpired) return
  try {
    await mailer.send(mail)
  } catch (error) {
    if (isPermanentRefusal(error)) {
      return transaction(db, async (trx) => {
        await setState(trx, id, 'refused')
        await saveRefusal(trx, mail.to, getErrorMessage(error), 'server')
      })
    }
    const isRetried = isCertainlyUnsent(error)
    await setState(db, id, isRetried ? 'queued' : 'failed')
    if (isRetried) throw error
    log.error({ err: error, tracked_mail: id }, 'a news email could not be delivered')
    return
  }
  await transaction(db, async (trx) => {
    await setState(trx, id, 'sent')
    await deleteRefusals(trx, mail.to)
  })
}

function setState(
  handle: Pick<Database, 'query'>,
  id: string,
  state: 'queued' | 'sent' | 'refused' | 'failed',
) {
  return handle.query.updateTable('tracked_mails').set({ state }).where('id', '=', id).execute()
}

/** Cancels emails that are not handed to the mail server yet. Those being sent cannot be stopped. */
export async function cancelTrackedMails(
  trx: Transaction,
  userId: string,
  kinds: readonly TrackedMailKind[],
): Promise<void> {
  await trx.query
    .updateTable('tracked_mails')
    .set({ state: 'canceled' })
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('state', '=', 'queued')
    .execute()
  await trx.query
    .deleteFrom('kept_mails')
    .where('tracked_mail_id', 'in', (query) =>
      query
        .selectFrom('tracked_mails')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', 'in', kinds),
    )
    .execute()
}

/**
 * Called by the periodic cleanup. An email that is still queued after `queuedDays` will never be sent, because its
 * job failed or was discarded.
 */
export async function deleteOldTrackedMails(db: Database): Promise<void> {
  await db.query
    .updateTable('tracked_mails')
    .set({ state: 'failed' })
    .where('state', '=', 'queued')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${queuedDays})`)
    .execute()
  await db.query
    .deleteFrom('tracked_mails')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .where('kind', '<>', 'announcement')
    .execute()
}
