import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSoldGifts, resendGift } from '#contract/admin/money/admin-gifts.ts'
import { refundPayment } from '#contract/admin/money/admin-refunds.ts'
import { buyGift, listGifts, redeemGift } from '#contract/gifts.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { giftEvent } from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { sendDueGifts } from './send-due-gifts.ts'

let app: StripeApp
const now = Math.floor(Date.now() / 1000)
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

let purchases = 0
async function buy(buyer: Person, recipient_email: string | null) {
  const wish = { months: 1, from_name: 'Ada', message: '', send_on: '2999-01-01' } as const
  await buyer.call(buyGift, { body: { ...wish, recipient_email } })
  const gift = app.stripe.calls.at(-1)?.form['metadata[gift_id]'] ?? ''
  const intent = `pi_listed_${++purchases}`
  await app.deliver(giftEvent({ gift, amount: 999, intent, created: now + purchases }))
  return gift
}
const list = async (query: { q?: string; state?: 'open' | 'scheduled' | 'redeemed' } = {}) =>
  (await app.admin.call(listSoldGifts, { query })).body.data
const resend = (gift_id: string, by: Person = app.admin) =>
  by.call(resendGift, { params: { gift_id } })
const mailsTo = async (to: string) => (await readQueuedMails(app)).filter((mail) => mail.to === to)

test('lists sold gifts by state, and finds them by the address of the buyer, the recipient or the redeemer', async () => {
  const [buyer, other] = [await app.makePerson(), await app.makePerson()]
  const handed = await buy(buyer, null)
  const mailed = await buy(buyer, 'ben@velour.test')
  const [{ code } = { code: '' }] = (await buyer.call(listGifts, {})).body.data.filter(
    ({ id }) => id === handed,
  )
  await other.call(redeemGift, { body: { code: code ?? '' } })
  expect((await list()).map(({ id, state }) => [id, state])).toEqual([
    [mailed, 'scheduled'],
    [handed, 'redeemed'],
  ])
  expect((await list({ state: 'redeemed' })).map(({ id }) => id)).toEqual([handed])
  expect((await list({ q: 'BEN@' })).map(({ id }) => id)).toEqual([mailed])
  const [redeemed] = await list({ q: other.email })
  expect(redeemed).toMatchObject({
    id: handed,
    buyer: { email: buyer.email },
    redeemed_by: { id: other.id, email: other.email },
    plan_to: expect.any(String),
    refunded_cents: 0,
  })
  expect((await resend(handed)).code).toBe('gift_not_open')
  expect((await buyer.call(listSoldGifts, {})).code).toBe('forbidden')
  expect((await resend(mailed, buyer)).code).toBe('forbidden')
})

test('resends a gift code before its scheduled date, and does not send the code again on that date', async () => {
  const buyer = await app.makePerson()
  const mailed = await buy(buyer, 'cy@velour.test')
  expect((await resend(mailed)).body).toMatchObject({ state: 'sent' })
  expect(await mailsTo('cy@velour.test')).toHaveLength(1)
  await sendDueGifts(app.services, new Date('2999-01-02'), createBillingMailer(app.services))
  expect(await mailsTo('cy@velour.test')).toHaveLength(1)
  const handed = await buy(buyer, null)
  const before = (await mailsTo(buyer.email)).length
  expect((await resend(handed)).body.state).toBe('open')
  expect(await mailsTo(buyer.email)).toHaveLength(before + 1)
})

test("lists a gift's payment, so that an admin can refund it", async () => {
  const buyer = await app.makePerson()
  const id = await buy(buyer, null)
  const [gift] = await list({ q: buyer.email })
  const refund = {
    payment_id: gift?.payment_id ?? '',
    amount_cents: 400,
    refunded_cents: 0,
    reason: 'requested_by_customer',
  } as const
  expect((await app.admin.call(refundPayment, { body: refund })).status).toBe(201)
  expect((await list({ q: buyer.email }))[0]).toMatchObject({ id, refunded_cents: 400 })
})

test('returns page 500 of 20,000 gifts', async () => {
  await sql`
    insert into gifts (months, amount_cents, currency, from_name, paid_at, code_hash, code_sealed)
    select 1, 999, 'usd', 'Many', now() - make_interval(mins => n), encode(sha256(n::text::bytea), 'hex'), 'x'
      from generate_series(1, 20000) n`.execute(app.services.db.query)
  const { body } = await app.admin.call(listSoldGifts, { query: { page: 500 } })
  expect(body.data).toHaveLength(20)
  expect(body.pagination.total).toBeGreaterThan(20_000)
})
