// Also sends the requests of the fake Stripe to stripe-mock, which checks them against Stripe's published API. Only
// with STRIPE_MOCK_URL, which `npm run test:clients` sets.
import type { IncomingMessage } from 'node:http'

/** The API version of a webhook's events. stripe-mock does not accept the newer version of our client. */
const apiVersion = /(?<=^|&)api_version=[^&]*&?/

const sentHeaders = ['content-type', 'idempotency-key', 'stripe-version']

/** stripe-mock accepts keys of test mode only. */
const authorization = 'Bearer sk_test_123'

interface MockCheck {
  send: (request: IncomingMessage, body: string) => Promise<void>
  /** Throws if stripe-mock refused a request. */
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
