// Numbered receipts for manually recorded payments. Rows are only inserted.
import type { ManualMethod, Tier } from '#contract/plans.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { ReceiptRow } from '../../../platform/db/tables.ts'
import { manualPaymentReceiptMail } from '../../../platform/mail/price-mails.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { readInvoiceDetails } from '../tax/invoice-details.ts'

interface ReceiptEntry {
  payment_id: string
  user_id: string
  amount_cents: number
  currency: string
  payment_method: ManualMethod
  description: string
  covers_from: string | null
  covers_to: string | null
  issued_at: string
  voids?: number
}

export const receiptDescription = (brandName: string, tier: Tier) =>
  tier === 'free' || tier === 'comped' ? `${brandName}` : `${brandName} Premium, ${tier}`

/**
 * Inserts a receipt with the next number and emails it. Locks the counter until the end of the transaction, so that
 * receipt numbers have no gaps.
 */
export async function issueReceipt(
  trx: Transaction,
  sendMail: SendBillingMail,
  entry: ReceiptEntry,
): Promise<ReceiptRow> {
  const person = await trx.query
    .selectFrom('profiles')
    .select(['email', 'display_name'])
    .where('id', '=', entry.user_id)
    .executeTakeFirstOrThrow()
  const { last_number: number } = await trx.query
    .updateTable('receipt_counter')
    .set(({ eb }) => ({ last_number: eb('last_number', '+', 1) }))
    .where('id', '=', 1)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  const name = person.display_name.trim()
  const row = await trx.query
    .insertInto('receipts')
    .values({
      ...entry,
      number,
      voids: entry.voids ?? null,
      recipient: name === '' ? person.email : `${name}\n${person.email}`,
      issuer: JSON.stringify(await readInvoiceDetails(trx)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const notice = { user_id: entry.user_id, kind: 'hand_receipt', key: String(number) } as const
  await sendNotice(trx, sendMail, notice, (to, site) => manualPaymentReceiptMail(to, site, row))
  return row
}
