// Emails each gift's code once, on the date that the buyer chose.
import { transaction, type Database } from '../../../platform/db/database.ts'
import { giftMail } from '../../../platform/mail/gift-mails.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import { claimNotice, type SendBillingMail } from '../notices/billing-mailer.ts'

const batchSize = 50
/**
 * How long an unpaid gift is kept. Stripe's payment pages expire after a day, and Stripe resends events for three days.
 */
const unpaidDays = 30

/** Emails the due gifts and returns how many. */
export function sendDueGifts(
  { db, secretBox }: { db: Database; secretBox: SecretBox },
  now: Date,
  sendMail: SendBillingMail,
): Promise<number> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('gifts')
      .selectAll()
      .where('send_at', '<=', now.toISOString())
      .where('sent_at', 'is', null)
      .where('paid_at', 'is not', null)
      .where('redeemed_at', 'is', null)
      .where('refunded_at', 'is', null)
      .orderBy('send_at')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const gift of due) {
      const code = gift.code_sealed === null ? null : secretBox.open(gift.code_sealed)
      const { recipient_email: to } = gift
      await trx.query
        .updateTable('gifts')
        .set({ sent_at: now.toISOString() })
        .where('id', '=', gift.id)
        .execute()
      // If SECRET was lost, the code cannot be decrypted here. The buyer still has the code in the email about the
      // purchase.
      if (code === null || to === null) continue
      if (await claimNotice(trx, 'gift', gift.id)) {
        await sendMail(trx, (site) => giftMail(to, site, gift, code))
      }
    }
    return due.length
  })
}

/** Deletes gifts that were never paid. */
export async function deleteUnpaidGifts(db: Database, now: Date): Promise<void> {
  await db.query
    .deleteFrom('gifts')
    .where('paid_at', 'is', null)
    .where('created_at', '<', new Date(now.getTime() - unpaidDays * 86_400_000).toISOString())
    .execute()
}
