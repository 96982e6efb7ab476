// Subscriptions of the fake Stripe: changed by requests as Stripe changes them.

export type FakeSubscription = Record<string, unknown>

/** Applies a request to the subscription, and returns it. */
export function changeSubscription(
  subscription: FakeSubscription,
  method: string,
  form: Record<string, string>,
): FakeSubscription {
  const now = Math.floor(Date.now() / 1000)
  const details = {
    feedback: form['cancellation_details[feedback]'] ?? null,
    comment: form['cancellation_details[comment]'] ?? null,
    reason: 'cancellation_requested',
  }
  if (method === 'DELETE') {
    const ended = { status: 'canceled', ended_at: now, canceled_at: now }
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
  changeDiscounts(subscription, form)
  return subscription
}

function periodEnd({ items }: FakeSubscription): number {
  const { data } = items as { data: { current_period_end: number }[] }
  return data[0]?.current_period_end ?? 0
}

/** Discounts that are named stay, and coupons are added. An empty list removes all. */
function changeDiscounts(subscription: FakeSubscription, form: Record<string, string>): void {
  if (form.discounts === '') subscription.discounts = []
  const kept = valuesOf(form, /^discounts\[\d+\]\[discount\]$/)
  const coupons = valuesOf(form, /^discounts\[\d+\]\[coupon\]$/)
  if (kept.length + coupons.length === 0) return
  subscription.discounts = [...kept, ...coupons.map((coupon) => `di_${coupon}`)]
}

const valuesOf = (form: Record<string, string>, name: RegExp) =>
  Object.entries(form).flatMap(([key, value]) => (name.test(key) ? [value] : []))

/** The subscription with its discounts as objects. */
export function expandDiscounts(subscription: FakeSubscription): FakeSubscription {
  const ids = (subscription.discounts as string[] | undefined) ?? []
  return {
    ...subscription,
    discounts: ids.map((id) => ({
      id,
      object: 'discount',
      source: { type: 'coupon', coupon: id.slice('di_'.length) },
    })),
  }
}
