// Simulates a year of a subscription. The steps are random. Events arrive in random order, late and repeatedly, and the
// server restarts in between. After each step whose events have arrived, the ledger, the fake Stripe's records and the
// person's entitlements must agree.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { banUser, unbanUser } from '#contract/admin/admin-users.ts'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { endPersonSubscription, refundPayment } from '#contract/admin/money/admin-refunds.ts'
import { startCheckout } from '#contract/billing.ts'
import { buyGift, listGifts, redeemGift } from '#contract/gifts.ts'
import {
  acceptRetentionOffer,
  cancelSubscription,
  resumeSubscription,
} from '#contract/own-subscription.ts'
import { makeTracks } from '../../../testing/feature-app.ts'
import { createStripeBooks, type StripeBooks } from '../../../testing/stripe/stripe-books.ts'
import {
  createStripeApp,
  webhookSecret,
  type StripeApp,
} from '../../../testing/stripe/stripe-app.ts'
import { sellingSettings } from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'
import { expireSubscriptions } from '../expire-subscriptions.ts'
import { startWaitingGifts } from '../gifts/redeem-gift.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { sweepStripeTasks } from './stripe-tasks.ts'
import { putRenditions } from '../../../testing/put-renditions.ts'
import { createRandom } from '../../../testing/seeded-random.ts'

const dayMs = 86_400_000
const graceDays = 7
const trialDays = 7
/** The simulated dates are in the past, so that sessions, which use the real clock, do not expire. */
const startMs = Date.now() - 1700 * dayMs
const years = Number(process.env['LIFE_SEEDS'] ?? 3)
const firstSeed = Number(process.env['LIFE_SEED'] ?? 1)
/**
 * Seeds that found a bug. With seed 10, concurrent checkouts in two tabs failed while one of them replaced an old
 * payment page.
 */
const regressionSeeds = [10]

let app: StripeApp
let track: string
let clockMs: number
const now = () => new Date(clockMs)

beforeAll(async () => {
  clockMs = startMs
  app = await createStripeApp({ now })
  await app.admin.call(updateSettings, {
    body: {
      action: 'update',
      settings: {
        ...sellingSettings(webhookSecret),
        trial_days_monthly: trialDays,
        grace_days: graceDays,
        retention_percent: 50,
        retention_months: 1,
      },
    },
  })
  track = await makeTrack()
})
afterAll(() => app.close())

async function makeTrack(): Promise<string> {
  const [track_id = ''] = await makeTracks(app.services.db, 1)
  const file = Buffer.alloc(1000)
  await putRenditions(app.services, track_id, { standard: file, high: file, preview: file }, 1)
  return track_id
}

interface Life {
  member: Person
  books: StripeBooks
  random: () => number
  /** Events that have been delivered, and may be delivered again. */
  delivered: object[]
  /** Events that are delivered only after the next step. */
  late: object[]
  gift: { isRedeemed: boolean; startedMs: number | null; months: number }
}

const chance = ({ random }: Life, share: number) => random() < share

/**
 * Delivers Stripe's due events in random order and runs the worker. Some due events and some earlier events are
 * delivered again. @param mayDelay leaves some of the events for the next call
 */
async function settle(life: Life, { mayDelay = false } = {}): Promise<void> {
  for (let round = 0; round < 5; round++) {
    life.books.noticeRequests()
    const due = [...(round === 0 ? life.late.splice(0) : []), ...life.books.take()]
    if (mayDelay && round === 0 && chance(life, 0.4)) {
      life.late = due.filter(() => chance(life, 0.5))
    }
    const events = due.filter((event) => !life.late.includes(event))
    const again = [...events.filter(() => chance(life, 0.4)), ...pick(life, life.delivered, 2)]
    const order = shuffle(life, [...events, ...again])
    while (order.length > 0) {
      // Deliver up to three events concurrently.
      const together = order.splice(0, chance(life, 0.4) ? 3 : 1)
      const answers = await Promise.all(together.map((event) => app.deliver(event)))
      expect(answers.map(({ status }) => status)).toEqual(together.map(() => 200))
    }
    life.delivered.push(...events)
    await runWorker(life)
    if (due.length === 0) return
  }
}

async function runWorker({ books, gift }: Life): Promise<void> {
  const { services } = app
  await expireSubscriptions(services.db, now(), createBillingMailer(services))
  // Use the real clock, because the database sets the time of new tasks.
  await sweepStripeTasks(services, new Date(Date.now() + 1000))
  await startWaitingGifts(services.db, now())
  if (gift.isRedeemed && gift.startedMs === null && !books.isBilled()) gift.startedMs = clockMs
}

function shuffle<Item>({ random }: Life, items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const pick = <Item>(life: Life, items: Item[], count: number) =>
  shuffle(life, items).slice(0, count)

/** Compares the ledger, the fake Stripe's records and the person's entitlements. */
async function verify(life: Life, step: string): Promise<void> {
  const { member, books, gift } = life
  const giftEndMs = gift.startedMs === null ? 0 : addMonths(gift.startedMs, gift.months)
  const isPremium = books.isRunning(graceDays) || clockMs < giftEndMs
  const { rows } = await sql<{ cents: number; status: string; failed: number }>`
    select (select coalesce(sum(amount_cents), 0)::int from payments
             where user_id = ${member.id} and not is_simulated) as cents,
           subscription_status as status,
           (select count(*)::int from refund_requests
             where user_id = ${member.id} and state = 'refused') as failed
      from profiles where id = ${member.id}`.execute(app.services.db.query)
  const heard = await member.send('GET', `/api/tracks/${track}/stream`, {
    headers: { range: 'bytes=0-9' },
  })
  expect({ step, ...rows[0], heard: heard.code ?? heard.status }).toEqual({
    step,
    cents: books.paidCents(),
    status: isPremium ? 'active' : expect.stringMatching(/^(inactive|canceled)$/),
    failed: 0,
    heard: isPremium ? 206 : 'premium_required',
  })
}

function addMonths(fromMs: number, months: number): number {
  const end = new Date(fromMs)
  const day = end.getUTCDate()
  end.setUTCMonth(end.getUTCMonth() + months)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return end.getTime()
}

const wait = (days: number) => void (clockMs += days * dayMs)

/** Advances the clock, at most to four days before the end of the period, when Stripe renews the subscription. */
function waitWithin({ books }: Life, days: number): void {
  const endMs = books.periodEnd() * 1000 - 4 * dayMs
  clockMs = Math.max(clockMs, Math.min(clockMs + days * dayMs, endMs))
}
const waitForPeriod = ({ books }: Life) => void (clockMs = books.periodEnd() * 1000 + 1000)

async function subscribe({ member }: Life, plan: 'monthly' | 'yearly'): Promise<void> {
  // Two tabs send the request concurrently.
  const tabs = await Promise.all([1, 2].map(() => member.call(startCheckout, { body: { plan } })))
  expect(tabs.map(({ status }) => status)).toEqual([200, 200])
  expect(new Set(tabs.map(({ body }) => body.url)).size).toBe(1)
}

function pay({ books }: Life, expectedTrialDays: number): void {
  expect(books.pay()).toBe(expectedTrialDays)
}

async function refundNewest({ member }: Life): Promise<void> {
  const { rows } = await sql<{ id: string; amount_cents: number }>`
    select id, amount_cents from payments where user_id = ${member.id} and kind = 'payment'
     order by paid_at desc, id desc limit 1`.execute(app.services.db.query)
  const [payment] = rows
  const refund = { payment_id: payment?.id ?? '', refunded_cents: 0 }
  const body = {
    ...refund,
    amount_cents: Math.floor((payment?.amount_cents ?? 0) / 2),
    reason: 'requested_by_customer',
  } as const
  const answers = await Promise.all([1, 2].map(() => app.admin.call(refundPayment, { body })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
}

interface Step {
  name: string
  run: (life: Life) => Promise<unknown> | void
  /** Whether the step sends a request to the service. All earlier events must then have been delivered. */
  isRequest: boolean
}

/** Defines a step that happens at Stripe, or that only advances the clock. */
const happens = (name: string, run: Step['run']): Step => ({ name, run, isRequest: false })
const requests = (name: string, run: Step['run']): Step => ({ name, run, isRequest: true })
const passes = (life: Life, isPaid?: boolean) => {
  waitForPeriod(life)
  life.books.passPeriod(isPaid)
}

const trial = [
  requests('opens two tabs', (life) => subscribe(life, 'monthly')),
  happens('begins a trial', (life) => pay(life, trialDays)),
  happens('is in the trial', () => wait(3)),
  happens('pays after the trial', (life) => passes(life)),
]
const renewal = [happens('renews', (life) => passes(life))]
const refusedCard = [
  happens('has a card that is refused', (life) => passes(life, false)),
  happens('is in the grace period', () => wait(3)),
  happens('is past it, or not', (life) => wait(chance(life, 0.5) ? 6 : 1)),
]
const recovery = [
  happens('pays with another card', ({ books }) => books.recover()),
  happens('waits', () => wait(2)),
]
const resubscribing = [
  happens('is ended by Stripe, which tried often enough', ({ books }) => books.giveUp()),
  requests('subscribes again', (life) => subscribe(life, 'monthly')),
  happens('pays without another trial', (life) => pay(life, 0)),
]
const upgrade = [happens('changes to yearly', ({ books }) => books.upgrade())]
const refund = [requests('gets a refund of a part', refundNewest)]
const gift = [
  requests('redeems a gift on top', redeemOnTop),
  happens('waits again', (life) => waitWithin(life, 40)),
]
const change = [
  requests('cancels', ({ member }) =>
    member.call(cancelSubscription, { body: { feedback: 'unused' } }),
  ),
  requests('resumes', ({ member }) => member.call(resumeSubscription, {})),
]
const offer = [
  requests('takes the offer to stay', ({ member }) => member.call(acceptRetentionOffer, {})),
]
const end = [
  requests('cancels after all', ({ member }) =>
    member.call(cancelSubscription, { body: { feedback: null } }),
  ),
  happens('waits for the end', (life) => waitWithin(life, 100)),
  happens('comes to the end, and to the gift', (life) => passes(life)),
  // The gift starts when the subscription ends, so that event must have been delivered.
  requests('hears the gift', () => wait(30)),
  happens('has no plan left', () => wait(70)),
]
const second = [
  requests('returns', (life) => subscribe(life, 'monthly')),
  happens('pays without another trial', (life) => pay(life, 0)),
  happens('renews once more', (life) => passes(life)),
  requests('is refunded', refundNewest),
  requests('is ended by the owner', ({ member }) =>
    app.admin.call(endPersonSubscription, { params: { id: member.id }, body: { when: 'now' } }),
  ),
  happens('is over', () => wait(30)),
]

function stepsOf(life: Life): Step[] {
  const maybe = (share: number, steps: Step[]) => (chance(life, share) ? steps : [])
  return [
    ...trial,
    ...maybe(0.7, renewal),
    ...maybe(0.7, [...refusedCard, ...(chance(life, 0.7) ? recovery : resubscribing)]),
    ...maybe(0.3, renewal),
    ...maybe(0.7, upgrade),
    ...maybe(0.7, refund),
    ...maybe(0.7, gift),
    ...maybe(0.3, [...refusedCard, ...recovery]),
    ...maybe(0.6, change),
    ...maybe(0.6, offer),
    ...maybe(0.3, renewal),
    ...end,
    ...maybe(0.8, second),
  ]
}

async function redeemOnTop({ member, gift }: Life): Promise<void> {
  const buyer = await app.makePerson()
  const months = 3
  const wish = { from_name: 'Ada', recipient_email: null, message: '', send_on: null }
  await buyer.call(buyGift, { body: { months, ...wish } })
  const shop = createStripeBooks(app.stripe, { id: buyer.id, name: `buyer${buyer.id}` }, now)
  shop.payGift()
  for (const event of shop.take()) await app.deliver(event)
  const [bought] = (await buyer.call(listGifts, {})).body.data
  const answer = await member.call(redeemGift, { body: { code: bought?.code ?? '' } })
  expect(answer.body).toMatchObject({ months, starts: 'later' })
  Object.assign(gift, { isRedeemed: true, months })
}

const seeds = Array.from({ length: years }, (_, index) => firstSeed + index)

test.each('LIFE_SEED' in process.env ? seeds : [...seeds, ...regressionSeeds])(
  'the fake Stripe, ledger and entitlements agree at every step of a year (LIFE_SEED=%i)',
  async (seed) => {
    clockMs = startMs + seed * 3_600_000
    const life = await startLife(`life${seed}`, createRandom(seed))
    const steps = stepsOf(life)
    const restartAt = Math.floor(life.random() * steps.length)
    for (const [index, { name, run }] of steps.entries()) {
      await run(life)
      wait(life.random() * 0.3)
      if (index === restartAt) await app.restart()
      const next = steps[index + 1]
      await settle(life, { mayDelay: next !== undefined && !next.isRequest })
      if (life.late.length === 0) await verify(life, `${index} ${name}`)
    }
    expect(life.books.paidCents()).toBeGreaterThan(0)
  },
  60_000,
)

async function startLife(name: string, random: () => number): Promise<Life> {
  const member = await app.makePerson()
  const books = createStripeBooks(app.stripe, { id: member.id, name }, now)
  const gift = { isRedeemed: false, startedMs: null, months: 0 }
  return { member, books, random, delivered: [], late: [], gift }
}

test('a banned subscriber is not charged at renewals until the owner resumes the charges', async () => {
  clockMs = startMs
  const life = await startLife('banned', createRandom(1))
  const { member, books } = life
  await subscribe(life, 'monthly')
  books.pay()
  await settle(life)
  const ban = await app.admin.call(banUser, { params: { id: member.id } })
  expect(ban.status).toBe(200)
  await settle(life)
  expect(books.isRunning(graceDays)).toBe(false)
  for (let renewal = 0; renewal < 3; renewal++) {
    waitForPeriod(life)
    books.passPeriod()
    await settle(life)
  }
  expect(books.paidCents()).toBe(0)
  await app.admin.call(unbanUser, { params: { id: member.id } })
  await settle(life)
  expect(books.isRunning(graceDays)).toBe(false)
  await app.admin.call(runBillingAction, {
    body: { action: 'update_subscription', user_id: member.id, tier: 'monthly', status: 'active' },
  })
  await settle(life)
  waitForPeriod(life)
  books.passPeriod()
  await settle(life)
  expect(books.paidCents()).toBe(999)
})
