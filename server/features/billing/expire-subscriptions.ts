// Ends expired subscriptions: after its end date a subscription becomes inactive, and every instance is notified. The
// stored tier is kept, to show which plan has ended. Subscriptions that Stripe renews get a grace period, so that a
// late event or a second attempt to charge the card does not interrupt playback.
import {
  transaction,
  type Database,
  type Handle,
  type Transaction,
} from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { planEndedMail } from '../../platform/mail/plan-mails.ts'
import { sendNotice, type SendBillingMail } from './notices/billing-mailer.ts'

const batchSize = 500

/** Ends expired subscriptions and returns how many. Several instances may run this concurrently. */
export async function expireSubscriptions(
  db: Database,
  now: Date,
  sendMail: SendBillingMail | null = null,
): Promise<number> {
  for (let ended = 0; ;) {
    const count = await expireBatch(db, now, sendMail)
    ended += count
    if (count < batchSize) return ended
  }
}

/** Selects active plans whose end date, plus the grace period if there is one, has passed. */
export function selectExpiredPlans(handle: Handle, now: Date) {
  return handle.query
    .selectFrom('profiles as p')
    .leftJoin('subscriptions as s', 's.user_id', 'p.id')
    .select(['p.id', 'p.subscription_ends_at as ends_at'])
    .where('p.subscription_status', '=', 'active')
    .where('p.subscription_ends_at', '<=', now.toISOString())
    .where((is) =>
      is.or([
        is('s.is_manual', 'is not', false),
        is('s.grace_until', 'is', null),
        is('s.grace_until', '<=', now.toISOString()),
      ]),
    )
}

function expireBatch(db: Database, now: Date, sendMail: SendBillingMail | null): Promise<number> {
  return transaction(db, async (trx) => {
    const due = await selectExpiredPlans(trx, now)
      .orderBy('p.subscription_ends_at')
      .limit(batchSize)
      .forUpdate('p')
      .skipLocked()
      .execute()
    for (const { id, ends_at } of due) {
      await trx.query
        .updateTable('profiles')
        .set({ subscription_status: 'inactive' })
        .where('id', '=', id)
        .execute()
      await writeAudit({ actor: null, ip: '' }, trx, {
        action: 'update',
        entity: 'subscription',
        entity_id: id,
        before: { status: 'active' },
        after: { status: 'inactive', reason: 'the end date has passed' },
      })
      await notify(trx, 'sessions', id)
      if (sendMail && ends_at !== null) await sendPlanEndedEmail(trx, sendMail, id, ends_at)
    }
    return due.length
  })
}

/** Emails the member that the plan has ended. Sends at most one email for each end. */
export function sendPlanEndedEmail(
  trx: Transaction,
  sendMail: SendBillingMail,
  user_id: string,
  ended_at: string,
): Promise<void> {
  const notice = { user_id, kind: 'ended', key: `${user_id}:${ended_at}` } as const
  return sendNotice(trx, sendMail, notice, (to, site) => planEndedMail(to, site, { ended_at }))
}
