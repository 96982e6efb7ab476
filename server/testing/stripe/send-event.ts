// Signs an event as Stripe does and sends it to the webhook of a running service.
import { Stripe } from 'stripe'

export interface WebhookEndpoint {
  /** The base URL of the service. */
  url: string
  secret: string
}

/** Returns the signature header for this payload, as Stripe computes it. */
export function signEvent(payload: string, secret: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000)
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** Sends a signed event. Throws unless the service accepts it. */
export async function sendEvent(
  { url, secret }: WebhookEndpoint,
  event: object,
  now = new Date(),
): Promise<void> {
  const payload = JSON.stringify(event)
  const response = await fetch(`${url}/api/billing-webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signEvent(payload, secret, now),
    },
    body: payload,
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`The webhook returned ${response.status}: ${answer}`)
}
