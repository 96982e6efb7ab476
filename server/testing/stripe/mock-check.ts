// Also sends the requests of the fake Stripe to stripe-mock, which checks them against Stripe's published API. Active
// only with STRIPE_MOCK_URL, which `npm run test:clients` sets.
import type { IncomingMessage } from 'node:http'

/**
 * The API version in a request for a webhook endpoint. Removed, because stripe-mock does not know the newer version
 * that our client uses.
 */
const apiVersion = /(?<=^|&)api_version=[^&]*&?/

const sentHeaders = ['content-type', 'idempotency-key', 'stripe-version']

/** stripe-mock accepts only keys of test mode. */
const authorization = 'Bearer sk_test_123'

interface MockCheck {
  send: (request: IncomingMessage, body: string) => Promise<void>
  /** Ends the check. Throws if stripe-mock refused a request. */
  end: () => void
}

export function createMockCheck(): MockCheck {
  const mockUrl = process.env['STRIPE_MOCK_URL']
  const refusals = new Set<string>()
  return {
    async send({ method = '', url = '', headers }, body) {
      if (mockUrl === undefined) return
      const response = await fetch(`${mockUrl}${url}`, {
        method,
        headers: [
          ['authorization', authorization],
          ...sentHeaders.flatMap((name): [string, string][] => {
            const value = headers[name]
            return typeof value === 'string' ? [[name, value]] : []
          }),
        ],
        ...(body !== '' && { body: body.replace(apiVersion, '') }),
      })
      const answer = await response.text()
      if (response.ok) return
      refusals.add(`${method} ${url} ${body}\n${response.status} ${answer}`)
    },
    end() {
      if (refusals.size === 0) return
      throw new Error(`stripe-mock refuses these requests:\n${[...refusals].join('\n')}`)
    },
  }
}
