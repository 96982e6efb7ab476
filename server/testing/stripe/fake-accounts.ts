// Accounts of the fake Stripe: their keys, the limits of restricted keys, and webhook endpoints. A key that is not
// listed belongs to the first account.
import type { Stripe } from 'stripe'
import { errorBody, type FakeResponse } from './fake-responses.ts'
import { createFakePrices, type FakePrices } from './fake-prices.ts'
import type { Part } from './stripe-shape.ts'

export type FakeEndpoint = Part<Stripe.WebhookEndpoint> & { id: string; url: string }

export interface FakeAccount {
  id: string
  name: string
  endpoints: FakeEndpoint[]
  prices: FakePrices
}

export interface FakeAccounts {
  first: FakeAccount
  /** Adds an account without any objects. */
  add: (id: string, name: string, keys: string[]) => FakeAccount
  /** Keys that were deleted in Stripe. */
  revoked: Set<string>
  /** For each restricted key, the prefixes of paths that it may not use. */
  denied: Map<string, string[]>
  answer: (
    call: { method: string; path: string; authorization: string | undefined },
    query: URLSearchParams,
    form: Record<string, string>,
  ) => FakeResponse | null
}

export function createFakeAccounts(prices: FakePrices): FakeAccounts {
  const first: FakeAccount = { id: 'acct_first', name: 'Night Records', endpoints: [], prices }
  const accounts = new Map<string, FakeAccount>()
  const revoked: FakeAccounts['revoked'] = new Set()
  const denied: FakeAccounts['denied'] = new Map()
  let number = 0

  function answerEndpoints(
    account: FakeAccount,
    method: string,
    id: string | undefined,
    { url, api_version, disabled, ...form }: Record<string, string>,
  ): FakeResponse {
    const { endpoints } = account
    const enabled_events = Object.entries(form).flatMap(([name, value]) =>
      name.startsWith('enabled_events') ? [value] : [],
    )
    if (id === undefined && method === 'GET') {
      const data = endpoints.map(({ secret: _, ...shown }) => shown)
      return ok({ object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' })
    }
    if (id === undefined) {
      if (!url?.startsWith('https://')) return refusal('Invalid URL: it must begin with https.')
      const made = {
        id: `we_${++number}`,
        object: 'webhook_endpoint',
        url,
        api_version: api_version ?? null,
        enabled_events,
        status: 'enabled',
        secret: `whsec_made_${number}`,
      } satisfies FakeEndpoint
      endpoints.push(made)
      return ok(made)
    }
    const index = endpoints.findIndex((one) => one.id === id)
    const found = endpoints[index]
    if (!found) return { status: 404, body: errorBody('resource_missing') }
    if (method === 'DELETE') {
      endpoints.splice(index, 1)
      return ok({ id, object: 'webhook_endpoint', deleted: true })
    }
    if (url !== undefined) found.url = url
    if (enabled_events.length > 0) found.enabled_events = enabled_events
    if (disabled !== undefined) found.status = disabled === 'true' ? 'disabled' : 'enabled'
    const { secret: _, ...shown } = found
    return ok(shown)
  }

  return {
    first,
    add(id, name, keys) {
      const account = { id, name, endpoints: [], prices: createFakePrices() }
      for (const key of keys) accounts.set(key, account)
      return account
    },
    revoked,
    denied,
    answer({ method, path, authorization }, query, form) {
      const key = authorization?.replace('Bearer ', '') ?? ''
      if (revoked.has(key)) {
        const message = `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`
        return { status: 401, body: { error: { type: 'invalid_request_error', message } } }
      }
      const isDenied = denied.get(key)?.some((start) => path.startsWith(start))
      if (isDenied) {
        const message = 'The provided key does not have the required permissions.'
        return { status: 403, body: { error: { type: 'invalid_request_error', message } } }
      }
      const account = accounts.get(key) ?? first
      const [, , kind, id] = path.split('/')
      if (kind === 'account') return ok(accountObject(account))
      if (kind === 'webhook_endpoints') return answerEndpoints(account, method, id, form)
      if (id?.endsWith('velour_key_check')) {
        return { status: 404, body: errorBody('resource_missing') }
      }
      if (account === first) return null
      const answer = account.prices.answer(method, path, query, form)
      if (answer) return answer
      // All other prices, customers and subscriptions belong to the first account.
      const isMissing = id !== undefined && ['prices', 'customers', 'subscriptions'].includes(kind!)
      return isMissing ? { status: 404, body: errorBody('resource_missing') } : null
    },
  }
}

const ok = (body: object): FakeResponse => ({ status: 200, body })

const refusal = (message: string): FakeResponse => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', message } },
})

function accountObject({ id, name }: FakeAccount) {
  return {
    id,
    object: 'account',
    settings: { dashboard: { display_name: name, timezone: 'Etc/UTC' } },
  } satisfies Part<Stripe.Account>
}
