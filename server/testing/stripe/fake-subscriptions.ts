// Subscriptions of the fake Stripe. Requests change them in the same way as in Stripe.

import type { Stripe } from 'stripe'
import { cancelFeedbacks } from '#contract/cancellations.ts'
import type { FakeSubscription } from './stripe-shape.ts'

/** Applies a request to the subscription, and returns it. */
export function changeSubscription(
  subscription: FakeSubscription,
  method: string,
  form: Record<string, string>,
  clock: Date,
): FakeSubscription {
  const now = Math.floor(clock.getTime() / 1000)
  const details: FakeSubscription['cancellation_details'] = {
    feedback: readFeedback(form['cancellation_details[feedback]']),
    comment: form['cancellation_details[comment]'] ?? null,
    reason: 'cancellation_requested',
  }
  if (method === 'DELETE') {
    const ended: FakeSubscription = { status: 'canceled', ended_at: now, canceled_at: now }
    return Object.assign(subscription, ended, { cancellation_details: details })
  }
  if (form.cancel_at_period_end === 'true') {
    Object.assign(subscription, {
      cancel_at_period_end: true,
      cancel_at: periodEnd(subscription),
      canceled_at: now,
      cancellation_details: details,
    })
  }
  if (form.cancel_at_period_end === 'false') {
    Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null, canceled_at: null })
  }
  const price = form['items[0][price]']
  if (price) {
    const { data } = subscription.items as { data: { price: object }[] }
    const [item] = data
    if (item) item.price = { ...item.price, id: price }
  }
  if (form['pause_collection[behavior]'] === 'void') {
    subscription.pause_collection = { behavior: 'void', resumes_at: null }
  }
  if (form.pause_collection === '') subscription.pause_collection = null
  changeDiscounts(subscription, form)
  return subscription
}

function periodEnd({ items }: FakeSubscription): number {
  return items?.data?.[0]?.current_period_end ?? 0
}

type Feedback = Stripe.Subscription.CancellationDetails.Feedback
const feedbacks = [...cancelFeedbacks] satisfies Feedback[]

const readFeedback = (sent: string | undefined): Feedback | null =>
  feedbacks.find((feedback) => feedback === sent) ?? null

/** Keeps the listed discounts and adds the listed coupons. An empty list removes all discounts. */
function changeDiscounts(subscription: FakeSubscription, form: Record<string, string>): void {
  if (form.discounts === '') subscription.discounts = []
  const kept = readValues(form, /^discounts\[\d+\]\[discount\]$/)
  const coupons = readValues(form, /^discounts\[\d+\]\[coupon\]$/)
  if (kept.length + coupons.length === 0) return
  subscription.discounts = [...kept, ...coupons.map((coupon) => `di_${coupon}`)]
}

const readValues = (form: Record<string, string>, name: RegExp) =>
  Object.entries(form).flatMap(([key, value]) => (name.test(key) ? [value] : []))

/** Returns the subscription with its discounts as objects instead of ids. */
export function expandDiscounts(subscription: FakeSubscription): FakeSubscription {
  const discounts = (subscription.discounts ?? []).map((one) => {
    const id = typeof one === 'string' ? one : (one.id ?? '')
    const source = { type: 'coupon', coupon: id.slice('di_'.length) } as const
    return { id, object: 'discount', source } as const
  })
  return { ...subscription, discounts }
}
