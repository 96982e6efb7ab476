// Reading and voiding receipts.
import type * as adminContract from '#contract/admin/money/admin-receipts.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paymentMethods } from '#contract/plans.ts'
import type { Receipt } from '#contract/receipts.ts'
import type * as contract from '#contract/receipts.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SendBillingMail } from '../notices/billing-mailer.ts'
import { issueReceipt } from './issue-receipt.ts'

export async function getReceipt(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getReceipt>,
): Promise<Output<typeof contract.getReceipt>> {
  const row = await findReceipt(ctx.db, params.receipt_number)
  const mayRead = row?.user_id === ctx.actor.user_id || ctx.actor.role === 'admin'
  if (!row || !mayRead) throw new AppError('receipt_not_found')
  return { data: present(row) }
}

export async function voidReceipt(
  services: { sendMail: SendBillingMail },
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminContract.voidReceipt>,
): Promise<Output<typeof adminContract.voidReceipt>> {
  return transaction(ctx.db, async (trx) => {
    // Locking the counter serializes concurrent requests: the second one finds the receipt void.
    await trx.query.selectFrom('receipt_counter').select('id').forUpdate().execute()
    const row = await findReceipt(trx, params.receipt_number)
    if (!row || row.user_id === null) throw new AppError('receipt_not_found')
    if (row.voided_by !== null || row.voids !== null) throw new AppError('receipt_void')
    const { user_id, currency, covers_from, covers_to } = row
    const amount_cents = -row.amount_cents
    const payment_method = methodOf(row.payment_method)
    const issued_at = ctx.now().toISOString()
    const payment = await trx.query
      .insertInto('payments')
      .values({
        user_id,
        kind: 'correction',
        amount_cents,
        currency,
        payment_method,
        paid_at: issued_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const issued = await issueReceipt(trx, services.sendMail, {
      payment_id: payment.id,
      user_id,
      amount_cents,
      currency,
      payment_method,
      description: `Receipt ${row.number} is void. ${row.description}`,
      covers_from,
      covers_to,
      issued_at,
      voids: row.number,
    })
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: user_id,
      after: { receipt: issued.number, voids: row.number, amount_cents, currency },
    })
    return { data: present({ ...issued, voided_by: null }) }
  })
}

function findReceipt(handle: Handle, number: number) {
  return handle.query
    .selectFrom('receipts as r')
    .leftJoin('receipts as v', 'v.voids', 'r.number')
    .selectAll('r')
    .select('v.number as voided_by')
    .where('r.number', '=', number)
    .executeTakeFirst()
}

type Row = NonNullable<Awaited<ReturnType<typeof findReceipt>>>

function present({ payment_id: _, user_id: __, payment_method, ...row }: Row): Receipt {
  return { ...row, payment_method: methodOf(payment_method) }
}

function methodOf(text: string) {
  return paymentMethods.find((one) => one === text) ?? 'other'
}
