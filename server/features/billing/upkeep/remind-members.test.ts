import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import {
  createStripeApp,
  webhookSecret,
  type StripeApp,
} from '../../../testing/stripe/stripe-app.ts'
import {
  invoiceEvent,
  sellingSettings,
  subscriptionEvent,
  testPrices,
} from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { sendCardReminders, sendRenewalReminders } from './remind-members.ts'

let app: StripeApp
const day = 86_400
const now = Math.floor(Date.now() / 1000)
const at = (days: number) => new Date((now + days * day) * 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(async () => {
  await sql`delete from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
  await sql`delete from stripe_subscriptions`.execute(app.services.db.query)
})
afterAll(() => app.close())

const services = () => ({ ...app.services, sendMail: createBillingMailer(app.services) })
const mailsTo = async ({ email }: Person) =>
  (await readQueuedMails(app)).filter(({ to }) => to === email)
let purchases = 0
async function subscribe(options: Partial<Parameters<typeof subscriptionEvent>[1]> = {}) {
  const member = await app.makePerson()
  const number = ++purchases
  const ids = {
    subscription: `sub_remind_${number}`,
    customer: `cus_remind_${number}`,
    userId: member.id,
    periodStart: now - 100,
    ...options,
  }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 100 }))
  return { member, ids }
}
const yearly = { price: testPrices.yearly, interval: 'year', periodEnd: now + 20 * day }

test('emails one reminder with the price 7 days before each yearly renewal', async () => {
  const { member, ids } = await subscribe(yearly)
  expect(await sendRenewalReminders(services(), at(12))).toBe(0)
  await Promise.all([
    sendRenewalReminders(services(), at(13.5)),
    sendRenewalReminders(services(), at(14)),
  ])
  expect(await sendRenewalReminders(services(), at(15))).toBe(0)
  const [mail, ...more] = await mailsTo(member)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Your Velour Premium renews soon')
  expect(mail?.paragraphs.join(' ')).toContain('$79.99 is charged')
  const next = { ...ids, periodStart: now + 20 * day, periodEnd: now + 385 * day }
  await app.deliver(subscriptionEvent('updated', { ...next, created: now }))
  expect(await sendRenewalReminders(services(), at(380))).toBe(1)
  expect(await mailsTo(member)).toHaveLength(2)
})

test('sends no reminder for monthly or canceled plans, or when reminders are off', async () => {
  await subscribe({ periodEnd: now + 5 * day })
  await subscribe({ ...yearly, periodEnd: now + 5 * day, cancelAtPeriodEnd: true })
  expect(await sendRenewalReminders(services(), at(0))).toBe(0)
  await subscribe({ ...yearly, periodEnd: now + 5 * day })
  const save = (renewal_reminder: boolean) =>
    app.admin.call(updateSettings, {
      body: {
        action: 'update',
        settings: { ...sellingSettings(webhookSecret), renewal_reminder },
      },
    })
  await save(false)
  expect(await sendRenewalReminders(services(), at(0))).toBe(0)
  await save(true)
  app.stripe.failWith(500)
  expect(await sendRenewalReminders(services(), at(0))).toBe(1)
  expect((await readQueuedMails(app)).filter(({ subject }) => subject.includes('renews'))).toEqual(
    [],
  )
  app.stripe.failWith(null)
  expect(await sendRenewalReminders(services(), at(0))).toBe(1)
  expect(
    (await readQueuedMails(app)).filter(({ subject }) => subject.includes('renews')),
  ).toHaveLength(1)
})

test('emails one warning per card that expires within 30 days', async () => {
  const { member, ids } = await subscribe()
  const expiry = new Date(at(40))
  const end = { exp_month: expiry.getUTCMonth() + 1, exp_year: expiry.getUTCFullYear() }
  app.stripe.cards.set(ids.subscription, 'card_1')
  app.stripe.cardExpiries.set(ids.subscription, end)
  const endOfMonth = Date.UTC(end.exp_year, end.exp_month, 1) / 1000
  const before = (days: number) => new Date((endOfMonth - days * day) * 1000)
  await sendCardReminders(services(), before(31))
  expect(await mailsTo(member)).toEqual([])
  await Promise.all([
    sendCardReminders(services(), before(27)),
    sendCardReminders(services(), before(27)),
  ])
  await sendCardReminders(services(), before(20))
  const [mail, ...more] = await mailsTo(member)
  expect(more).toEqual([])
  expect(mail?.paragraphs.join(' ')).toContain('ends in 4242')
  app.stripe.cards.set(ids.subscription, 'card_2')
  await sendCardReminders(services(), before(10))
  expect(await mailsTo(member)).toHaveLength(2)
  await sendCardReminders(services(), before(-1))
  expect(await mailsTo(member)).toHaveLength(2)
})

test('emails one receipt with the invoice per payment, for any order of events', async () => {
  const url = 'https://invoice.stripe.com/i/acct_1/test_2'
  for (const isPaidFirst of [true, false]) {
    const member = await app.makePerson()
    const number = ++purchases
    const ids = {
      subscription: `sub_receipt_${number}`,
      customer: `cus_receipt_${number}`,
      userId: member.id,
      created: now,
    }
    const paid = invoiceEvent('invoice.paid', {
      ...ids,
      invoice: `in_receipt_${number}`,
      payUrl: url,
    })
    const created = subscriptionEvent('created', ids)
    for (const event of isPaidFirst ? [paid, created, paid] : [created, paid, paid]) {
      await app.deliver(event)
    }
    await app.deliver({ ...paid, id: `evt_again_${number}` })
    const [mail, ...more] = await mailsTo(member)
    expect([isPaidFirst, more]).toEqual([isPaidFirst, []])
    expect(mail).toMatchObject({ subject: 'Your Velour receipt', button: { link: url } })
    expect(mail?.paragraphs.join(' ')).toContain('$9.99')
  }
})

test('sends no receipt for an invoice of 0', async () => {
  const { member, ids } = await subscribe()
  await app.deliver(
    invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_nothing', amount: 0 }),
  )
  expect(await mailsTo(member)).toEqual([])
})
