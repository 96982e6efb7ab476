// Applies a report that an email bounced or was marked as spam. Each email counts once for each kind of report, even if
// several reports about the email arrive.
import { sql } from 'kysely'
import { saveNewsChoices } from '../news/news-preferences.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { saveRefusal, removeAddress } from '../../platform/mail/refused-addresses.ts'
import type { MailReport } from './read-report.ts'

/** Reports about older emails are ignored. Reports arrive within days, because mail servers give up after five days. */
const reportedDays = 30
/** From this number of temporary failures on (within `temporaryDays`), each one counts as a permanent failure. */
const temporaryCount = 5
const temporaryDays = 14
/** How long counted reports are stored. Longer than `reportedDays`, so that no email counts twice. */
const keptDays = 60

export type ReportResult = 'bounced' | 'complaint' | 'ignored'

export async function countReport(
  trx: Transaction,
  report: MailReport,
  now: Date,
): Promise<ReportResult> {
  const { kind, mail, reason } = report
  if (now.getTime() - mail.sentAt.getTime() > reportedDays * 24 * 3600 * 1000) return 'ignored'
  const result = kind === 'complaint' ? 'complaint' : 'bounced'
  const person = await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', mail.to)
    .executeTakeFirst()
  // If there is no account, there is nothing to suspend: the email was an invitation or a gift, or the account has been
  // deleted.
  if (!person) return result
  const counted = await trx.query
    .insertInto('mail_bounces')
    .values({
      mail_id: mail.id,
      kind,
      user_id: person.id,
      email: mail.to,
      reason: removeAddress(reason, mail.to),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mail_id')
    .executeTakeFirst()
  if (!counted) return 'ignored'
  await apply(trx, person.id, report)
  return result
}

async function apply(
  trx: Transaction,
  userId: string,
  { kind, mail, reason }: MailReport,
): Promise<void> {
  if (kind === 'complaint') {
    await saveNewsChoices(trx, userId, { release_mail: 'off', announcements: false }, 'complaint')
  } else {
    if (kind === 'temporary' && (await countTemporary(trx, userId, mail.to)) < temporaryCount) {
      return
    }
    await saveRefusal(trx, mail.to, reason, 'bounce')
  }
  // The audit log outlives the account, so it identifies the person only by id.
  const auditedReason = removeAddress(reason, mail.to)
  await writeAudit({ actor: null, ip: '' }, trx, {
    action: 'update',
    entity: 'user',
    entity_id: userId,
    after:
      kind === 'complaint'
        ? { news: 'ended', complaint: auditedReason }
        : { bounced_mail: auditedReason },
  })
}

async function countTemporary(trx: Transaction, userId: string, email: string): Promise<number> {
  const { count } = await trx.query
    .selectFrom('mail_bounces')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('kind', '=', 'temporary')
    .where('created_at', '>', sql<string>`now() - make_interval(days => ${temporaryDays})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes old bounces; called by the sweep. Spam complaints are kept, because the person's page shows them. */
export async function deleteOldBounces(db: Database): Promise<void> {
  await db.query
    .deleteFrom('mail_bounces')
    .where('kind', '<>', 'complaint')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${keptDays})`)
    .execute()
}
