// Checkout sessions of the fake Stripe: the pages on which members pay.
import { errorBody, type FakeResponse } from './fake-responses.ts'
import type { FakeSession } from './stripe-shape.ts'

interface CheckoutSession {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  url: string | null
  success_url: string | null
  subscription: string | null
}

export interface FakeSessions {
  /** The payment pages, by id. */
  made: Map<string, CheckoutSession>
  /** The forms of the requests that created the pages, by id. */
  forms: Map<string, Record<string, string>>
  answer: (
    method: string,
    path: string,
    form: Record<string, string>,
    number: number,
  ) => FakeResponse
}

/** `pageUrl` returns the URL of a session's payment page. */
export function createFakeSessions(pageUrl: (id: string) => string): FakeSessions {
  const made: FakeSessions['made'] = new Map()
  const forms: FakeSessions['forms'] = new Map()
  return {
    made,
    forms,
    answer(method, path, form, number) {
      const [, , , , id, act] = path.split('/')
      if (id === undefined && method === 'GET') {
        const data = [...made.values()].filter(({ status }) => status === 'open')
        return { status: 200, body: { object: 'list', data, has_more: false, url: path } }
      }
      if (id === undefined) {
        const session = {
          id: `cs_test_${number}`,
          object: 'checkout.session',
          status: 'open',
          url: pageUrl(`cs_test_${number}`),
          success_url: form['success_url'] ?? null,
          subscription: null,
        } satisfies FakeSession & CheckoutSession
        made.set(session.id, session)
        forms.set(session.id, form)
        return { status: 200, body: session }
      }
      const session = made.get(id)
      if (!session) return { status: 404, body: errorBody('resource_missing') }
      if (method === 'POST' && act === 'expire') {
        if (session.status !== 'open') return { status: 400, body: errorBody('parameter_invalid') }
        Object.assign(session, { status: 'expired', url: null })
      }
      return { status: 200, body: session }
    },
  }
}
