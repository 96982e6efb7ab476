// A fake of Stripe's HTTP API, to test the requests of the SDK and its handling of responses.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedCall {
  method: string
  path: string
  authorization: string | undefined
  /** The form in the notation of Stripe's API: `line_items[0][price]`. */
  form: Record<string, string>
}

export interface FakeStripe {
  url: string
  calls: ReceivedCall[]
  /** Responses for charges, by id. */
  charges: Map<string, object>
  /** From now on every response has this status; null restores normal responses. */
  failWith: (status: number | null) => void
  close: () => Promise<void>
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const calls: ReceivedCall[] = []
  const charges = new Map<string, object>()
  let failure: number | null = null
  const server = createServer((request, response) => {
    const answer = async () => {
      const form = Object.fromEntries(new URLSearchParams(await text(request)))
      const [path = '', method = ''] = [request.url, request.method]
      calls.push({ method, path, authorization: request.headers.authorization, form })
      response.setHeader('content-type', 'application/json')
      response.statusCode = failure ?? 200
      response.end(
        JSON.stringify(
          failure
            ? refusal
            : (charges.get(path.slice('/v1/charges/'.length)) ??
                sessionFor(path, form, calls.length)),
        ),
      )
    }
    answer().catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    charges,
    failWith: (status) => void (failure = status),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const refusal = {
  error: { type: 'invalid_request_error', message: 'No such customer: secret words' },
}

function sessionFor(path: string, form: Record<string, string>, number: number) {
  if (path === '/v1/checkout/sessions') {
    const id = `cs_test_${number}`
    return { id, object: 'checkout.session', url: `https://checkout.stripe.com/c/pay/${id}` }
  }
  if (path === '/v1/billing_portal/sessions') {
    const url = `https://billing.stripe.com/p/session/${form.customer}`
    return { id: `bps_${number}`, object: 'billing_portal.session', url }
  }
  const [, kind = '', id = ''] = path.match(/^\/v1\/(subscriptions|customers)\/(\w+)$/) ?? []
  if (kind === 'customers') return { id, object: 'customer', deleted: true }
  if (kind === 'subscriptions') return { id, object: 'subscription' }
  throw new Error(`The stand-in for Stripe does not know ${path}`)
}
