import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { voidReceipt } from '#contract/admin/money/admin-receipts.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { getReceipt, listBills } from '#contract/receipts.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function pay(user_id: string, amount_cents = 999, currency?: string) {
  const entry = { kind: 'payment', amount_cents, payment_method: 'cash', currency } as const
  const body = { action: 'record_payment' as const, user_id, ...entry }
  const answer = await admin.call(runBillingAction, { body })
  return answer.body.payments?.[0]?.receipt_number ?? 0
}
const read = (who: Person, number: number) =>
  who.call(getReceipt, { params: { receipt_number: number } })
const voidIt = (number: number) => admin.call(voidReceipt, { params: { receipt_number: number } })

test("a manual payment gets a receipt with the owner's current details, which is emailed to the member", async () => {
  const { updated_at: _, version, ...settings } = (await admin.call(getSettings, {})).body
  const details = { invoice_name: 'Night Desk', invoice_address: '1 Harbour Street\nHamburg' }
  await admin.call(updateSettings, {
    body: { action: 'update', settings: { ...settings, ...details }, version },
  })
  const member = await app.makePerson()
  const number = await pay(member.id)
  const { data } = (await read(member, number)).body
  expect(data).toMatchObject({
    number,
    amount_cents: 999,
    currency: 'usd',
    payment_method: 'cash',
    issuer: details,
    voids: null,
    voided_by: null,
  })
  expect(data.recipient).toContain(member.email)
  const mails = await readQueuedMails(app)
  expect(mails.at(-1)).toMatchObject({ to: member.email, subject: `Your Velour receipt ${number}` })
})

test('receipt numbers have no gaps, even after concurrent or rejected payments', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => app.makePerson()))
  await pay(people[0]!.id)
  const refused = { kind: 'refund', amount_cents: 5_000_000, payment_method: 'cash' } as const
  const body = { action: 'record_payment' as const, user_id: people[0]!.id, ...refused }
  expect((await admin.call(runBillingAction, { body })).code).toBe('refund_too_large')
  await Promise.all(people.map(({ id }) => pay(id)))
  const { rows } = await sql<{ number: number }>`
    select number from receipts order by number`.execute(app.services.db.query)
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
})

test('a manual subscription gets a receipt only if the admin entered an amount', async () => {
  const member = await app.makePerson()
  const body = {
    action: 'manual_update_subscription',
    user_id: member.id,
    tier: 'yearly',
    status: 'active',
    payment_method: 'zelle',
  } as const
  await admin.call(runBillingAction, { body })
  expect((await member.call(listBills, {})).body.data).toEqual([])
  await admin.call(runBillingAction, { body: { ...body, amount_cents: 9999 } })
  const { data } = (await member.call(listBills, {})).body
  expect(data).toMatchObject([{ kind: 'receipt', amount_cents: 9999, currency: 'usd', url: null }])
})

test('a receipt can be voided once, which adds a second receipt and a ledger entry', async () => {
  const member = await app.makePerson()
  const number = await pay(member.id, 1500, 'eur')
  const [first, second] = await Promise.all([voidIt(number), voidIt(number)])
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
  const { data } = (await read(member, number)).body
  const counter = (await read(member, data.voided_by ?? 0)).body.data
  expect(counter).toMatchObject({ voids: number, amount_cents: -1500, currency: 'eur' })
  expect((await voidIt(counter.number)).code).toBe('receipt_void')
  const list = { action: 'list_payments' as const, user_id: member.id }
  const { payments } = (await admin.call(runBillingAction, { body: list })).body
  expect(
    payments?.map(({ kind, amount_cents, voided_by }) => [kind, amount_cents, voided_by]),
  ).toEqual([
    ['correction', -1500, null],
    ['payment', 1500, counter.number],
  ])
  expect((await readQueuedMails(app)).at(-1)?.paragraphs.join(' ')).toContain(
    `Receipt ${number} is void`,
  )
})

test('only the member who paid and admins can read a receipt', async () => {
  const member = await app.makePerson()
  const number = await pay(member.id)
  expect((await read(await app.makePerson(), number)).code).toBe('receipt_not_found')
  expect((await read(admin, number)).status).toBe(200)
  expect((await read(member, 1_000_000)).code).toBe('receipt_not_found')
  const voiding = await member.call(voidReceipt, { params: { receipt_number: number } })
  expect(voiding.status).toBe(403)
})

test('the database rejects updating and deleting receipts', async () => {
  const member = await app.makePerson()
  const number = await pay(member.id)
  await expect(app.asOwner(`delete from receipts where number = ${number}`)).rejects.toThrow()
  await expect(
    app.asOwner(`update receipts set amount_cents = 1 where number = ${number}`),
  ).rejects.toThrow()
})
