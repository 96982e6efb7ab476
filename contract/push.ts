// Notifications of a browser (Push API). A subscription ends with the session in which it was made.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { hour } from './rate-limit.ts'

const base64url = (maxLength: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(maxLength))

export const pushSubscription = z.object({
  id: z.uuid(),
  device: z.string().check(z.describe('The browser that gets notifications: Firefox on Linux.')),
  is_current: z.boolean().check(z.describe('The browser of this session.')),
  created_at: timestamp,
})
export type PushSubscriptionInfo = z.infer<typeof pushSubscription>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: 'The key of this service for `PushManager.subscribe` (RFC 8292).',
  access: 'member',
  output: z.object({
    public_key: z
      .string()
      .check(
        z.describe('A point on P-256, uncompressed, in base64url: the `applicationServerKey`.'),
      ),
  }),
})

export const listPushSubscriptions = endpoint({
  method: 'GET',
  path: '/api/push/subscriptions',
  summary: "The member's browsers that get notifications.",
  access: 'member',
  output: z.object({ data: z.array(pushSubscription) }),
})

export const createPushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary:
    'Notify this browser of releases, until its session ends. It replaces what the browser had before. Recorded as a consent.',
  access: 'member',
  tokens: 'refused',
  creates: true,
  rateLimit: { name: 'push-subscription', per: 'account', count: 60, seconds: hour },
  body: z.object({
    endpoint: z
      .url()
      .check(z.maxLength(2000))
      .register(z.globalRegistry, {
        description: 'Where the push service takes messages, as the browser names it.',
        examples: ['https://push.example/send/c8Vt2mQ9xLrT'],
      }),
    keys: z
      .object({
        p256dh: base64url(100).check(z.describe('The public key of the browser.')),
        auth: base64url(40).check(z.describe('Its secret for the encryption (RFC 8291).')),
      })
      .check(z.describe('As `PushSubscription.toJSON` returns them.')),
  }),
  output: pushSubscription,
  errors: ['push_subscription_refused'],
})

export const deletePushSubscription = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions/:id',
  summary: 'Stop notifying a browser.',
  access: 'member',
  tokens: 'refused',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})

/** What a message says. The service worker shows it. */
export interface PushMessage {
  title: string
  body: string
  /** In the app; opened by a click. */
  path: string
  /** A later message with the same tag replaces this one. */
  tag: string
  icon: string | null
}
