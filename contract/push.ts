// Browser notifications (Push API). A push subscription ends with the session in which it was created.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { hour } from './rate-limit.ts'

const base64url = (maxLength: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(maxLength))

export const pushSubscription = z.object({
  id: z.uuid(),
  device: z
    .string()
    .check(z.describe('The browser that receives notifications: Firefox on Linux.')),
  is_current: z.boolean().check(z.describe('Whether it is the browser of this session.')),
  created_at: timestamp,
})
export type PushSubscriptionInfo = z.infer<typeof pushSubscription>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: "The service's public key for `PushManager.subscribe` (RFC 8292).",
  access: 'member',
  output: z.object({
    public_key: z
      .string()
      .check(
        z.describe('An uncompressed point on P-256 in base64url: the `applicationServerKey`.'),
      ),
  }),
})

export const listPushSubscriptions = endpoint({
  method: 'GET',
  path: '/api/push/subscriptions',
  summary: "The member's browsers that receive notifications.",
  access: 'member',
  output: z.object({ data: z.array(pushSubscription) }),
})

export const createPushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary:
    'Subscribe this browser to release notifications until its session ends. Replaces an earlier subscription of this browser. Recorded as a consent.',
  access: 'member',
  tokens: 'refused',
  creates: true,
  rateLimit: { name: 'push-subscription', per: 'account', count: 60, seconds: hour },
  body: z.object({
    endpoint: z
      .url()
      .check(z.maxLength(2000))
      .register(z.globalRegistry, {
        description: "The push service's endpoint, as provided by the browser.",
        examples: ['https://push.example/send/c8Vt2mQ9xLrT'],
      }),
    keys: z
      .object({
        p256dh: base64url(100).check(z.describe("The browser's public key.")),
        auth: base64url(40).check(
          z.describe("The browser's authentication secret for the encryption (RFC 8291)."),
        ),
      })
      .check(z.describe('As returned by `PushSubscription.toJSON`.')),
  }),
  output: pushSubscription,
  errors: ['push_subscription_refused'],
})

export const deletePushSubscription = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions/:id',
  summary: 'Unsubscribe a browser from notifications.',
  access: 'member',
  tokens: 'refused',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})

/** The content of a push message. The service worker shows it as a notification. */
export interface PushMessage {
  title: string
  body: string
  /** A path in the app that a click on the notification opens. */
  path: string
  /** A later notification with the same tag replaces this one. */
  tag: string
  icon: string | null
}
