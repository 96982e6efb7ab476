// Ends what has run out: a subscription whose end date has passed becomes inactive, and every
// instance hears of it. The tier stays, as a record of what it was.
import { transaction, type Database } from '../db/database.ts'
import { notify } from '../events/event-bus.ts'
import { writeAudit } from '../audit/write-audit.ts'

const batchSize = 500

/** Returns how many subscriptions ended. Safe on several instances at once. */
export async function expireSubscriptions(db: Database, now: Date): Promise<number> {
  for (let ended = 0; ;) {
    const count = await expireBatch(db, now)
    ended += count
    if (count < batchSize) return ended
  }
}

function expireBatch(db: Database, now: Date): Promise<number> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('subscription_status', '=', 'active')
      .where('subscription_ends_at', '<=', now.toISOString())
      .orderBy('subscription_ends_at')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id } of due) {
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
    }
    return due.length
  })
}
