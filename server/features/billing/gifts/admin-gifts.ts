// Lists sold gifts for admins, and resends gift codes. The payment of a gift is refunded like any other payment.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/money/admin-gifts.ts'
import type { AdminGift } from '#contract/admin/money/admin-gifts.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { Gift } from '#contract/gifts.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../../platform/db/database.ts'
import { searchPattern } from '../../../platform/db/search-pattern.ts'
import { giftMail, giftReceiptMail } from '../../../platform/mail/gift-mails.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import type { SendBillingMail } from '../notices/billing-mailer.ts'
import { readRefunded } from '../payments.ts'
import { getGiftState } from './gift-operations.ts'

export interface AdminGiftServices {
  secretBox: SecretBox
  sendMail: SendBillingMail
}

export async function listSoldGifts(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listSoldGifts>,
): Promise<Output<typeof contract.listSoldGifts>> {
  const { q, state, page, page_size } = query
  const pattern = searchPattern(q ?? '')
  const matching = selectGifts(ctx.db)
    .$if(state !== undefined, (rows) => rows.where(isInState(state ?? 'open')))
    .$if(!!q, (rows) =>
      rows.where((is) =>
        is.or([
          is(sql<string>`lower(b.email)`, 'like', pattern),
          is(sql<string>`lower(r.email)`, 'like', pattern),
          is(sql<string>`lower(g.recipient_email)`, 'like', pattern),
        ]),
      ),
    )
  const [rows, { total }] = await Promise.all([
    withColumns(matching)
      .orderBy('g.paid_at', 'desc')
      .orderBy('g.id', 'desc')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute(),
    matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  const data = await Promise.all(rows.map((row) => present(ctx.db, row)))
  return { data, pagination: paginate(query, total) }
}

export async function resendGift(
  { secretBox, sendMail }: AdminGiftServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.resendGift>,
): Promise<Output<typeof contract.resendGift>> {
  await transaction(ctx.db, async (trx) => {
    const gift = await trx.query
      .selectFrom('gifts')
      .selectAll()
      .where('id', '=', params.gift_id)
      .where('paid_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!gift) throw new AppError('gift_not_found')
    const code = gift.code_sealed === null ? null : secretBox.open(gift.code_sealed)
    const isOpen = gift.redeemed_at === null && gift.refunded_at === null
    const to = gift.recipient_email ?? (await readEmail(trx, gift.buyer_id))
    if (!isOpen || code === null || to === null) throw new AppError('gift_not_open')
    const isForRecipient = gift.recipient_email !== null
    await sendMail(trx, (site) =>
      isForRecipient ? giftMail(to, site, gift, code) : giftReceiptMail(to, site, gift, code),
    )
    // If the gift is scheduled for later, its code is sent now and not again on that date.
    if (isForRecipient) {
      await trx.query
        .updateTable('gifts')
        .set({ sent_at: ctx.now().toISOString() })
        .where('id', '=', gift.id)
        .execute()
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'gift',
      entity_id: gift.id,
      after: { mail: isForRecipient ? 'sent again' : 'sent again to the buyer' },
    })
  })
  const row = await withColumns(selectGifts(ctx.db))
    .where('g.id', '=', params.gift_id)
    .executeTakeFirst()
  if (!row) throw new AppError('gift_not_found')
  return present(ctx.db, row)
}

async function readEmail(handle: Handle, id: string | null): Promise<string | null> {
  if (id === null) return null
  const row = await handle.query
    .selectFrom('profiles')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.email ?? null
}

function selectGifts(handle: Handle) {
  return handle.query
    .selectFrom('gifts as g')
    .leftJoin('profiles as b', 'b.id', 'g.buyer_id')
    .leftJoin('profiles as r', 'r.id', 'g.redeemed_by')
    .where('g.paid_at', 'is not', null)
}

function withColumns(query: ReturnType<typeof selectGifts>) {
  return query
    .leftJoin('payments as p', (join) =>
      join
        .onRef('p.stripe_payment_intent', '=', 'g.payment_intent')
        .on('p.is_simulated', '=', false),
    )
    .selectAll('g')
    .select(['b.email as buyer_email', 'r.email as redeemer_email', 'p.id as payment_id'])
}

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number]

/** Returns the SQL condition that a gift is in this state. Same rules as `getGiftState`. */
function isInState(state: Gift['state']) {
  const conditions: Record<Gift['state'], ReturnType<typeof sql<boolean>>> = {
    refunded: sql<boolean>`g.refunded_at is not null`,
    redeemed: sql<boolean>`g.refunded_at is null and g.redeemed_at is not null`,
    sent: sql<boolean>`g.refunded_at is null and g.redeemed_at is null and g.sent_at is not null`,
    scheduled: sql<boolean>`g.refunded_at is null and g.redeemed_at is null and g.sent_at is null
      and g.recipient_email is not null`,
    open: sql<boolean>`g.refunded_at is null and g.redeemed_at is null and g.sent_at is null
      and g.recipient_email is null`,
  }
  return conditions[state]
}

async function present(handle: Handle, row: Row): Promise<AdminGift> {
  const { id, months, amount_cents, currency, from_name, recipient_email, payment_id } = row
  const { send_at, sent_at, redeemed_at, plan_from, plan_to, refunded_at } = row
  return {
    id,
    months,
    amount_cents,
    currency,
    state: getGiftState(row),
    buyer: personOf(row.buyer_id, row.buyer_email),
    from_name,
    recipient_email,
    send_at,
    sent_at,
    paid_at: row.paid_at ?? row.created_at,
    redeemed_by: personOf(row.redeemed_by, row.redeemer_email),
    redeemed_at,
    plan_from,
    plan_to,
    refunded_at,
    payment_id,
    refunded_cents: payment_id === null ? 0 : await readRefunded(handle, payment_id),
  }
}

function personOf(id: string | null, email: string | null): AdminGift['buyer'] {
  return id === null || email === null ? null : { id, email }
}
