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
  const price = form['items[0][price]']
  if (price) {
    const { data } = subscription.items as { data: { price: object }[] }
    const [item] = data
    if (item) item.price = { ...item.price, id: price }
  }
  const coupons = Object.entries(form).filter(([name]) => /^discounts\[\d+\]\[coupon\]$/.test(name))
  if (coupons.length > 0) {
    const kept = Object.entries(form).flatMap(([name, value]) =>
      /^discounts\[\d+\]\[discount\]$/.test(name) ? [value] : [],
    )
    subscription.discounts = [...kept, ...coupons.map(([, coupon]) => `di_${coupon}`)]
  }
  return subscription
}

function periodEnd({ items }: FakeSubscription): number {
  const { data } = items as { data: { current_period_end: number }[] }
  return data[0]?.current_period_end ?? 0
}
