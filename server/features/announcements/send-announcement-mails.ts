// Enqueues the emails of announcements that an admin has sent. They share the rate limit with emails about releases.
import { sql } from 'kysely'
import type { AnnouncementAudience } from '#contract/announcements.ts'
import { lockNames, tryLockByName } from '../../platform/db/advisory-locks.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { enqueueTrackedMail } from '../../platform/mail/mail-queue.ts'
import { countRemainingMails, type NewsMailServices } from '../news/send-news-mails.ts'
import { createUnsubscribeLink } from '../news/unsubscribe.ts'
import { composeAnnouncement } from './announcement-mail.ts'
import { isRecipient } from './announcement-query.ts'

interface Recipient {
  user_id: string
  email: string
  is_recipient: boolean
}

/** Enqueues the next emails of the oldest unfinished announcement. Returns how many recipients were processed. */
export async function sendAnnouncementMails(services: NewsMailServices): Promise<number> {
  return transaction(services.db, async (trx) => {
    if (!(await tryLockByName(trx, lockNames.newsMails()))) return 0
    const limit = await countRemainingMails(trx, services)
    const announcement = limit > 0 ? await findUnfinished(trx) : undefined
    if (!announcement) return 0
    const recipients = await lockRecipients(trx, announcement, limit)
    for (const recipient of recipients) {
      await sendTo(services, trx, announcement, recipient)
    }
    return recipients.length
  })
}

interface Unfinished {
  id: string
  subject: string
  body: string
  audience: AnnouncementAudience
}

/** Returns the oldest announcement that still has recipients to process. */
function findUnfinished(trx: Transaction): Promise<Unfinished | undefined> {
  return trx.query
    .selectFrom('announcements as a')
    .select(['a.id', 'a.subject', 'a.body', 'a.audience'])
    .where('a.sent_at', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('announcement_recipients as r')
          .select('r.user_id')
          .whereRef('r.announcement_id', '=', 'a.id')
          .where('r.is_done', '=', false),
      ),
    )
    .orderBy('a.sent_at')
    .orderBy('a.id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the next recipients. Locks their preferences, so that a consent cannot be withdrawn between the check and the
 * email.
 */
async function lockRecipients(
  trx: Transaction,
  { id, audience }: Unfinished,
  limit: number,
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select p.id as user_id, p.email, ${isRecipient(audience)} as is_recipient
      from announcement_recipients r
      join news_preferences n on n.user_id = r.user_id
      join profiles p on p.id = r.user_id
     where r.announcement_id = ${id} and not r.is_done
     order by r.user_id limit ${limit}
       for update of n skip locked`.execute(trx.query)
  return rows
}

async function sendTo(
  services: NewsMailServices,
  trx: Transaction,
  announcement: Unfinished,
  { user_id, email, is_recipient }: Recipient,
): Promise<void> {
  let mail_id: string | null = null
  if (is_recipient) {
    const { publicUrl } = services.config
    const site = { publicUrl, brandName: services.branding().brand_name }
    const link = createUnsubscribeLink(
      { publicUrl, secretBox: services.secretBox },
      user_id,
      'announcements',
    )
    const mail = composeAnnouncement(email, announcement, site, link)
    mail_id = await enqueueTrackedMail(trx, services, mail, { user_id, kind: 'announcement' })
  }
  await trx.query
    .updateTable('announcement_recipients')
    .set({ is_done: true, mail_id })
    .where('announcement_id', '=', announcement.id)
    .where('user_id', '=', user_id)
    .execute()
}
