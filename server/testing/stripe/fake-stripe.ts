// A fake of Stripe's HTTP API, to test the requests of Stripe's library and how it handles responses.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Stripe } from 'stripe'
import { createFakeAccounts, type FakeAccounts } from './fake-accounts.ts'
import { errorBody, type FakeResponse } from './fake-responses.ts'
import { createFakePrices, type FakePrices } from './fake-prices.ts'
import { createFakePromotions, type FakePromotions } from './fake-promotions.ts'
import { createFakeRefunds, type FakeRefunds } from './fake-refunds.ts'
import { createFakeSessions, type FakeSessions } from './fake-sessions.ts'
import { changeSubscription, expandDiscounts } from './fake-subscriptions.ts'
import type { FakeInvoice, FakePaymentMethod, FakeSubscription, Part } from './stripe-shape.ts'
import { createMockCheck } from './mock-check.ts'

interface ReceivedCall {
  method: string
  path: string
  authorization: string | undefined
  /** The request body in the notation of Stripe's API: `line_items[0][price]`. */
  form: Record<string, string>
}

export interface FakeStripe {
  url: string
  calls: ReceivedCall[]
  /** Responses for charges, by id. */
  charges: Map<string, object>
  /** Paid invoices by subscription. Each was paid by one payment intent. */
  invoices: Map<string, string[]>
  /** The last payment error of each invoice. */
  paymentErrors: Map<string, PaymentError>
  /** Fingerprints of the cards that pay for subscriptions, by subscription. */
  cards: Map<string, string>
  /** Expiry dates of the cards that pay for subscriptions, by subscription. */
  cardExpiries: Map<string, { exp_month: number; exp_year: number }>
  /** Subscriptions by id, in the format of Stripe's events. */
  subscriptions: Map<string, FakeSubscription>
  /** Ids of subscriptions that don't exist in Stripe. */
  missing: Set<string>
  /** The payment intent of each paid invoice. */
  paidInvoices: Map<string, string>
  refunds: FakeRefunds
  promotions: FakePromotions
  prices: FakePrices
  accounts: FakeAccounts
  /** The payment pages, by id. */
  sessions: FakeSessions['made']
  /** The forms of the requests that created the payment pages, by id. */
  sessionForms: FakeSessions['forms']
  /** The invoices of each customer, which lists return. */
  bills: Map<string, FakeInvoice[]>
  /** From now on, every response has this status. Null restores normal responses. */
  failWith: (status: number | null) => void
  close: () => Promise<void>
}

interface FakeStripeOptions {
  /**
   * Responds to requests outside the API, which are pages that a browser opens. If absent, pages have URLs of Stripe.
   */
  servePage?: (request: PageRequest) => Promise<PageResponse>
  /** Called after a request that may have changed something. */
  onChange?: () => void
}

export interface PageRequest {
  method: string
  path: string
  query: URLSearchParams
  form: Record<string, string>
}

export interface PageResponse {
  status: number
  html?: string
  /** The URL to which the browser is redirected. */
  location?: string
}

/**
 * How long a request with an idempotency key takes, so that tests can send another one with the same key meanwhile.
 */
const keyedRequestMs = 30

/** The fake uses the clock of the tested server. */
export async function startFakeStripe(
  now = () => new Date(),
  { servePage, onChange }: FakeStripeOptions = {},
): Promise<FakeStripe> {
  const calls: ReceivedCall[] = []
  const charges = new Map<string, object>()
  const invoices = new Map<string, string[]>()
  const paymentErrors: FakeStripe['paymentErrors'] = new Map()
  const cards = new Map<string, string>()
  const cardExpiries: FakeStripe['cardExpiries'] = new Map()
  const sessions = createFakeSessions((id) =>
    servePage ? `${url()}/pay/${id}` : `https://checkout.stripe.com/c/pay/${id}`,
  )
  const bills: FakeStripe['bills'] = new Map()
  const subscriptions: FakeStripe['subscriptions'] = new Map()
  const missing: FakeStripe['missing'] = new Set()
  const promotions = createFakePromotions()
  const prices = createFakePrices()
  const accounts = createFakeAccounts(prices)
  const paidInvoices: FakeStripe['paidInvoices'] = new Map()
  const refunds = createFakeRefunds()
  const portalUrl = (customer = '', returnUrl = '') =>
    servePage
      ? `${url()}/portal/${customer}?${new URLSearchParams({ return_url: returnUrl })}`
      : `https://billing.stripe.com/p/session/${customer}`
  const answerOnce = rememberKeys()
  const mockCheck = createMockCheck()
  let failure: number | null = null
  const server = createServer((request, response) => {
    const answer = async () => {
      const sent = await text(request)
      const form = Object.fromEntries(new URLSearchParams(sent))
      const [address = '', method = ''] = [request.url, request.method]
      const [path = '', query] = address.split('?')
      if (servePage && !path.startsWith('/v1/')) {
        return sendPage(
          response,
          await servePage({ method, path, query: new URLSearchParams(query), form }),
        )
      }
      await mockCheck.send(request, sent)
      const key = method === 'POST' ? readHeader(request.headers['idempotency-key']) : undefined
      const { authorization } = request.headers
      const number = calls.push({ method, path, authorization, form })
      const run = (): FakeResponse => {
        if (failure) return { status: failure, body: refusal }
        const search = new URLSearchParams(query)
        const account = accounts.answer({ method, path, authorization }, search, form)
        if (account) return account
        if (path.startsWith('/v1/checkout/sessions')) {
          return sessions.answer(method, path, form, number)
        }
        if (path === '/v1/refunds') return refunds.answer(method, new URLSearchParams(query), form)
        const paidBy = paidInvoices.get(path.slice('/v1/invoices/'.length))
        if (paidBy !== undefined) return { status: 200, body: paidInvoice(paidBy) }
        const price = prices.answer(method, path, new URLSearchParams(query), form)
        if (price) return price
        const promotion = promotions.answer(method, path, new URLSearchParams(query), form)
        if (promotion) return promotion
        const id = path.slice('/v1/subscriptions/'.length)
        if (missing.has(id)) return { status: 404, body: errorBody('resource_missing') }
        const subscription = subscriptions.get(id)
        if (subscription) {
          const changed = changeSubscription(subscription, method, form, now())
          const isExpanded = query?.includes('discounts')
          return { status: 200, body: isExpanded ? expandDiscounts(changed) : changed }
        }
        const charge = charges.get(path.slice('/v1/charges/'.length))
        if (charge) return { status: 200, body: charge }
        return {
          status: 200,
          body: respondToOther(
            { invoices, bills, cards, cardExpiries, paymentErrors, portalUrl },
            path,
            query,
            form,
            number,
          ),
        }
      }
      const { status, body } = key === undefined ? run() : await answerOnce(key, form, run)
      response.setHeader('content-type', 'application/json')
      response.statusCode = status
      response.end(JSON.stringify(body))
      if (method !== 'GET') onChange?.()
    }
    answer().catch((error: unknown) => response.destroy(error as Error))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: url(),
    calls,
    charges,
    invoices,
    cards,
    cardExpiries,
    paymentErrors,
    sessions: sessions.made,
    sessionForms: sessions.forms,
    bills,
    subscriptions,
    missing,
    paidInvoices,
    refunds,
    promotions,
    prices,
    accounts,
    failWith: (status) => void (failure = status),
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      mockCheck.end()
    },
  }
}

function sendPage(response: ServerResponse, { status, html = '', location }: PageResponse): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    ...(location !== undefined && { location }),
  })
  response.end(html)
}

const readHeader = (value: string | string[] | undefined) => [value].flat()[0]

/**
 * Handles idempotency keys like Stripe: repeats the first response for a key, refuses other parameters, and returns
 * 409 while the first request is running.
 */
function rememberKeys() {
  const known = new Map<string, { form: string; answer: FakeResponse | null }>()
  return async (key: string, form: object, run: () => FakeResponse): Promise<FakeResponse> => {
    const first = known.get(key)
    const sent = JSON.stringify(form)
    if (first) {
      if (first.form !== sent) return { status: 400, body: errorBody('idempotency_error') }
      return first.answer ?? { status: 409, body: errorBody('idempotency_key_in_use') }
    }
    const entry: { form: string; answer: FakeResponse | null } = { form: sent, answer: null }
    known.set(key, entry)
    await new Promise((resolve) => setTimeout(resolve, keyedRequestMs))
    return (entry.answer = run())
  }
}

const refusal = {
  error: { type: 'invalid_request_error', message: 'No such customer: secret words' },
}

function respondToOther(
  {
    invoices,
    bills,
    cards,
    cardExpiries,
    paymentErrors,
    portalUrl,
  }: Pick<FakeStripe, 'invoices' | 'bills' | 'cards' | 'cardExpiries' | 'paymentErrors'> & {
    portalUrl: (customer?: string, returnUrl?: string) => string
  },
  path: string,
  query: string | undefined,
  form: Record<string, string>,
  number: number,
): object {
  if (path === '/v1/billing_portal/sessions') {
    const url = portalUrl(form.customer, form.return_url)
    return { id: `bps_${number}`, object: 'billing_portal.session', url }
  }
  if (path === '/v1/invoices/create_preview') {
    const preview = {
      id: 'upcoming',
      object: 'invoice',
      amount_due: 7999,
      currency: 'usd',
    } as const
    return preview satisfies FakeInvoice
  }
  if (path === '/v1/invoices') {
    const asked = new URLSearchParams(query)
    const ofSubscription = (invoices.get(asked.get('subscription') ?? '') ?? []).map(paidInvoice)
    const data = [...ofSubscription, ...(bills.get(asked.get('customer') ?? '') ?? [])]
    return { object: 'list', data, has_more: false, url: path }
  }
  const [, kind = '', id = ''] =
    path.match(/^\/v1\/(subscriptions|customers|invoices)\/(\w+)$/) ?? []
  const voided = path.match(/^\/v1\/invoices\/(\w+)\/void$/)?.[1]
  if (voided) return { id: voided, object: 'invoice', status: 'void' } satisfies FakeInvoice
  if (kind === 'invoices') return failedInvoice(id, paymentErrors.get(id) ?? null)
  if (kind === 'customers') return { id, object: 'customer', deleted: true }
  if (kind === 'subscriptions') {
    const fingerprint = cards.get(id)
    const details = { fingerprint, last4: '4242', ...cardExpiries.get(id) }
    const method = { object: 'payment_method', type: 'card', card: details } as const
    const invoice_settings = { default_payment_method: null }
    return {
      id,
      object: 'subscription',
      customer: { object: 'customer', invoice_settings },
      default_payment_method: fingerprint ? (method satisfies FakePaymentMethod) : null,
    } satisfies FakeSubscription
  }
  throw new Error(`The fake Stripe API does not support ${path}`)
}

function paidInvoice(payment_intent: string) {
  const payment = { type: 'payment_intent', payment_intent } as const
  return {
    id: `in_of_${payment_intent}`,
    object: 'invoice',
    status: 'paid',
    amount_paid: 999,
    currency: 'usd',
    payments: { object: 'list', data: [{ object: 'invoice_payment', status: 'paid', payment }] },
  } satisfies FakeInvoice
}

type PaymentError = Part<Stripe.PaymentIntent.LastPaymentError>

function failedInvoice(id: string, last_payment_error: PaymentError | null) {
  const payment_intent = {
    id: `pi_of_${id}`,
    object: 'payment_intent',
    last_payment_error,
  } satisfies Part<Stripe.PaymentIntent>
  const payment = { type: 'payment_intent', payment_intent } as const
  return {
    id,
    object: 'invoice',
    status: 'open',
    payments: { object: 'list', data: [{ object: 'invoice_payment', status: 'open', payment }] },
  } satisfies FakeInvoice
}
