// The SELECT for announcements, and the SQL condition for their recipients.
import { sql, type RawBuilder } from 'kysely'
import type { Announcement, AnnouncementAudience } from '#contract/announcements.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { canReceiveEmail, hasPremium } from '../news/news-preferences.ts'

/** Selects announcements with the numbers of their emails. The table's alias is `a`. */
export function selectAnnouncements(handle: Handle) {
  return handle.query
    .selectFrom('announcements as a')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('announcement_recipients as r')
          .leftJoin('tracked_mails as m', 'm.id', 'r.mail_id')
          .select([
            sql<number>`count(*) filter (where not r.is_done)`.as('unmade'),
            sql<number>`count(*) filter (where m.state = 'queued')`.as('queued'),
            sql<number>`count(*) filter (where m.state = 'sent')`.as('sent'),
            sql<number>`count(*) filter (where m.state = 'refused')`.as('refused'),
            sql<number>`count(*) filter (where m.state in ('failed', 'sending'))`.as('failed'),
            sql<number>`count(*) filter (where r.is_done and (m.id is null or m.state = 'canceled'))`.as(
              'skipped',
            ),
          ])
          .whereRef('r.announcement_id', '=', 'a.id')
          .as('f'),
      (join) => join.onTrue(),
    )
    .select([
      'a.id',
      'a.subject',
      'a.body',
      'a.audience',
      sql<Announcement['state']>`case when a.sent_at is null then 'draft'
        when f.unmade + f.queued > 0 then 'sending' else 'sent' end`.as('state'),
      'a.created_at',
      'a.sent_at',
      'a.recipient_count',
      sql<Announcement['figures']>`json_build_object('waiting', f.unmade + f.queued, 'sent', f.sent,
        'refused', f.refused, 'failed', f.failed, 'skipped', f.skipped)`.as('figures'),
    ])
}

/** Throws `not_found`. */
export async function findAnnouncement(handle: Handle, id: string): Promise<Announcement> {
  const row = await selectAnnouncements(handle).where('a.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

const inAudience: Record<AnnouncementAudience, RawBuilder<boolean>> = {
  all: sql<boolean>`true`,
  free: sql<boolean>`not ${hasPremium}`,
  premium: hasPremium,
}

/** Whether the person `p` with the preferences `n` gets an announcement for this audience. */
export function isRecipient(audience: AnnouncementAudience): RawBuilder<boolean> {
  return sql<boolean>`(n.announcements and ${canReceiveEmail} and ${inAudience[audience]})`
}
