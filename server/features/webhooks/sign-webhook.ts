// Generates secrets and signatures as specified by Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256
// over `id.timestamp.body`.
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export function generateWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/**
 * Returns the headers for one request, with one signature per secret. A receiver accepts the message if any signature
 * is valid.
 */
export function signWebhook(
  secrets: readonly string[],
  { id, body, now }: { id: string; body: string; now: Date },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
