// The fake Stripe for tests in a browser: its payment pages and its customer portal can be used. It reports what
// happens there to the service with signed events, as Stripe does.
import { formatMoney } from '#contract/currencies.ts'
import {
  findAppliedCoupon,
  applyDiscount,
  findCoupon,
  readGift,
  readOffer,
  readTrialDays,
} from './checkout-offer.ts'
import { changeSubscription } from './fake-subscriptions.ts'
import {
  startFakeStripe,
  type FakeStripe,
  type PageResponse,
  type PageRequest,
} from './fake-stripe.ts'
import { button, field, renderPage } from './page-html.ts'
import { sendEvent, type WebhookEndpoint } from './send-event.ts'
import { createStripeBooks, type StripeBooks } from './stripe-books.ts'
import type { FakeCoupon } from './stripe-shape.ts'

export interface FakeStripeWithPages extends FakeStripe {
  /**
   * From now on, sends events to this endpoint, as if it was added in Stripe's dashboard. Earlier events are dropped.
   */
  addEndpoint: (endpoint: WebhookEndpoint) => void
}

type Form = Record<string, string>

export async function startFakeStripeWithPages(): Promise<FakeStripeWithPages> {
  const now = () => new Date()
  const books = new Map<string, StripeBooks>()
  const coupons = new Map<string, FakeCoupon>()
  let endpoint: WebhookEndpoint | null = null
  let sending = Promise.resolve()
  let failure: unknown = null

  /** Sends the events in order, after all earlier ones. */
  function send(events: object[]): Promise<void> {
    sending = sending
      .then(async () => {
        for (const event of events) if (endpoint) await sendEvent(endpoint, event, now())
      })
      .catch((error: unknown) => void (failure ??= error))
    return sending
  }

  function reportChanges(): void {
    for (const account of books.values()) {
      account.noticeRequests()
      void send(account.take())
    }
  }

  function booksOf(customer: string, member: string): StripeBooks {
    const known = books.get(customer)
    if (known) return known
    const name = customer.replace(/^cus_/, '')
    const made = createStripeBooks(stripe, { id: member, name }, now)
    books.set(customer, made)
    return made
  }

  /**
   * Like Stripe, redirects the browser after the service accepted the first event, and sends the other events
   * afterwards.
   */
  async function pay(id: string, form: Form): Promise<PageResponse> {
    const customer = form.customer ?? `cus_of_${id}`
    const account = booksOf(customer, form.client_reference_id ?? '')
    if (readGift(form)) account.payGift(id)
    else account.pay({ session: id, coupon: coupons.get(id) ?? null })
    const [first, ...others] = account.take()
    await send(first ? [first] : [])
    void send(others)
    return { status: 303, location: returnUrl(form, id) }
  }

  async function servePayment(
    id: string,
    { method, form: sent }: PageRequest,
  ): Promise<PageResponse> {
    const session = stripe.sessions.get(id)
    const form = stripe.sessionForms.get(id)
    if (!session || !form) return notFound
    if (session.status === 'complete') return { status: 303, location: returnUrl(form, id) }
    if (session.status === 'expired') return { status: 410, html: expiredPage(form) }
    const show = (error?: string) => ({
      status: 200,
      html: paymentPage(stripe, form, coupons.get(id) ?? null, error),
    })
    if (method !== 'POST' || sent.act === undefined) return show()
    if (sent.act === 'pay') return pay(id, form)
    if (sent.act === 'decline') return show('Your card was declined. Try another card.')
    const coupon = findCoupon(stripe, sent.code ?? '', now())
    if (!coupon) return show('This code is invalid.')
    coupons.set(id, coupon)
    return show()
  }

  async function servePortal(customer: string, request: PageRequest): Promise<PageResponse> {
    const returnTo = request.query.get('return_url') ?? ''
    const own = [...stripe.subscriptions.values()].filter(
      (one) => one.customer === customer && one.status !== 'canceled',
    )
    const { act } = request.form
    if (request.method === 'POST' && (act === 'cancel' || act === 'resume')) {
      const cancel_at_period_end = String(act === 'cancel')
      for (const one of own) changeSubscription(one, 'POST', { cancel_at_period_end }, now())
      reportChanges()
      await sending
    }
    const isEnding = own.some((one) => one.cancel_at_period_end)
    return { status: 200, html: portalPage(own.length, isEnding, returnTo) }
  }

  const stripe = await startFakeStripe(now, {
    servePage(request) {
      const [, kind, id = ''] = request.path.split('/')
      if (kind === 'pay') return servePayment(id, request)
      if (kind === 'portal') return servePortal(id, request)
      return Promise.resolve(notFound)
    },
    onChange: reportChanges,
  })
  return {
    ...stripe,
    addEndpoint: (added) => void (endpoint = added),
    async close() {
      await send([])
      await stripe.close()
      if (failure !== null) throw new Error('The service refused an event', { cause: failure })
    },
  }
}

const notFound = { status: 404, html: '<h1>No such page</h1>' }

const returnUrl = (form: Form, id: string) =>
  (form.success_url ?? '').replace('{CHECKOUT_SESSION_ID}', id)

function paymentPage(
  stripe: FakeStripe,
  form: Form,
  typed: FakeCoupon | null,
  error: string | undefined,
): string {
  const gift = readGift(form)
  const back = { href: form.cancel_url ?? '', label: 'Back' }
  const refuse = button('decline', 'Pay With a Card That Is Declined')
  if (gift) {
    const cost = formatMoney(gift.cents, gift.currency)
    return renderPage({
      title: gift.name,
      facts: [['Due today', cost]],
      ...(error !== undefined && { error }),
      controls: button('pay', `Pay ${cost}`) + refuse,
      back,
    })
  }
  const { cents, currency, interval, price } = readOffer(stripe, form)
  const product = stripe.prices.made.find((one) => one.id === price)?.product
  const trialDays = readTrialDays(form)
  const coupon = typed ?? findAppliedCoupon(stripe, form)
  const reduced = coupon ? applyDiscount(cents, coupon) : cents
  const due = formatMoney(trialDays > 0 ? 0 : reduced, currency)
  const facts: [string, string][] = [
    ['Price', `${formatMoney(cents, currency)} per ${interval}`],
    ...(trialDays > 0 ? [['Free trial', `${trialDays} days`] as [string, string]] : []),
    ...(coupon ? [['Discount', coupon.name ?? coupon.id ?? ''] as [string, string]] : []),
    ...(form.customer_email ? [['Email', form.customer_email] as [string, string]] : []),
    ['Due today', due],
  ]
  const codeField =
    form.allow_promotion_codes === 'true' && !coupon
      ? field('code', 'Discount code', 'code', 'Apply')
      : ''
  return renderPage({
    title: stripe.prices.products.get(product ?? '')?.name ?? `Premium, ${form['metadata[plan]']}`,
    facts,
    ...(error !== undefined && { error }),
    controls: button('pay', trialDays > 0 ? 'Start Trial' : `Pay ${due}`) + refuse + codeField,
    back,
  })
}

const expiredPage = (form: Form) =>
  renderPage({
    title: 'This page has expired',
    facts: [],
    controls: '',
    back: { href: form.cancel_url ?? '', label: 'Back' },
  })

function portalPage(count: number, isEnding: boolean, returnTo: string): string {
  const act = isEnding ? button('resume', 'Resume') : button('cancel', 'Cancel at Period End')
  return renderPage({
    title: 'Billing',
    facts: [['Subscriptions', `${count}${isEnding ? ', ending' : ''}`]],
    controls: count > 0 ? act : '',
    back: { href: returnTo, label: 'Return' },
  })
}
