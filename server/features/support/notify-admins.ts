// Emails admins about unanswered support messages: at most once an hour, and only if there is a new message.
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { supportNoticeMail } from '../../platform/mail/admin-mails.ts'
import { listMailableAdmins } from '../people/admin-addresses.ts'
import type { SupportServices } from './admin-support.ts'

/**
 * Called periodically by the worker. The update locks the row first, so only one of several instances sends the emails.
 */
export async function notifyAdminsOfMessages(
  services: SupportServices & { db: Database },
): Promise<void> {
  await transaction(services.db, async (trx) => {
    const { rows } = await sql<{ waiting: number; subject: string; name: string }>`
      with due as (
        update support_notice n set sent_at = now()
         where n.sent_at < now() - interval '1 hour'
           and exists (select from support_threads t
                        where t.state = 'open' and t.waiting_since is not null
                          and t.last_message_at > n.sent_at)
        returning 1)
      select t.subject, coalesce(nullif(p.display_name, ''), p.email) as name,
             (select count(*) from support_threads w
               where w.state = 'open' and w.waiting_since is not null) as waiting
        from due, support_threads t join profiles p on p.id = t.user_id
       where t.state = 'open' and t.waiting_since is not null
       order by t.last_message_at desc limit 1`.execute(trx.query)
    const [newest] = rows
    if (!newest) return
    const { config, branding } = services
    const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
    for (const { email } of await listMailableAdmins(trx)) {
      await enqueueMail(trx, services, supportNoticeMail(email, site, newest))
    }
  })
}
