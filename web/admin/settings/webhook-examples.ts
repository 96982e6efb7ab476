// Example Stripe events for the webhook test: purchase, renewal, failed renewal, cancellation and refund.
interface WebhookExample {
  label: string
  /** Builds the event. Its id contains `now`, because the server applies every event id only once. */
  build: (now: Date, userId: string) => object
}

/** The user id in the examples until a person is selected. */
export const placeholderUserId = '00000000-0000-0000-0000-000000000000'
const [subscription, customer] = ['sub_example', 'cus_example']
const monthSeconds = 30 * 24 * 3600

export const webhookExamples: readonly WebhookExample[] = [
  {
    label: 'Purchase',
    build: (now, user_id) =>
      event(now, 'checkout.session.completed', {
        object: 'checkout.session',
        mode: 'subscription',
        payment_status: 'paid',
        subscription,
        customer,
        client_reference_id: user_id,
        metadata: { user_id, plan: 'monthly' },
      }),
  },
  {
    label: 'Subscription',
    build: (now, userId) =>
      event(now, 'customer.subscription.updated', subscriptionObject(now, userId, 'active')),
  },
  {
    label: 'Payment',
    build: (now, userId) => event(now, 'invoice.paid', invoiceObject(now, userId, 999)),
  },
  {
    label: 'Failed payment',
    build: (now, userId) => event(now, 'invoice.payment_failed', invoiceObject(now, userId, 0)),
  },
  {
    label: 'Refund',
    build: (now) =>
      event(now, 'charge.refunded', {
        id: 'ch_example',
        object: 'charge',
        customer,
        currency: 'usd',
        amount: 999,
        amount_refunded: 999,
        created: toUnixSeconds(now),
      }),
  },
  {
    label: 'Cancellation',
    build: (now, userId) =>
      event(now, 'customer.subscription.deleted', {
        ...subscriptionObject(now, userId, 'canceled'),
        ended_at: toUnixSeconds(now),
      }),
  },
]

function event(now: Date, type: string, object: object) {
  return {
    id: `evt_example_${now.getTime()}`,
    object: 'event',
    created: toUnixSeconds(now),
    type,
    data: { object },
  }
}

function subscriptionObject(now: Date, user_id: string, status: string) {
  const period = {
    current_period_start: toUnixSeconds(now),
    current_period_end: toUnixSeconds(now) + monthSeconds,
  }
  const price = { id: 'price_example', recurring: { interval: 'month' } }
  return {
    id: subscription,
    object: 'subscription',
    customer,
    status,
    metadata: { user_id },
    cancel_at_period_end: false,
    items: { data: [{ price, ...period }] },
  }
}

function invoiceObject(now: Date, user_id: string, amount_paid: number) {
  return {
    id: `in_example_${now.getTime()}`,
    object: 'invoice',
    customer,
    currency: 'usd',
    amount_paid,
    parent: { subscription_details: { subscription, metadata: { user_id } } },
    lines: {
      data: [
        {
          period: { start: toUnixSeconds(now), end: toUnixSeconds(now) + monthSeconds },
          price: { id: 'price_example', recurring: { interval: 'month' } },
        },
      ],
    },
  }
}

function toUnixSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
