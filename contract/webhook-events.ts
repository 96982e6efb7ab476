// The events reported by webhooks, as listed in docs/webhooks.md. Database triggers record them.
import * as z from 'zod/mini'
import { audiences } from './fields/availability.ts'
import { releaseKinds } from './fields/release-fields.ts'
import { paymentMethods, subscriptionStatuses, tiers } from './plans.ts'

export const webhookEventTypes = [
  'track.published',
  'release.published',
  'member.joined',
  'subscription.started',
  'subscription.paid',
  'subscription.cancelled',
  'subscription.ended',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** The test button sends this type. No event has it. */
export const webhookTestType = 'webhook.test'

export const webhookApiVersion = 'v1'

export const webhookDeliveryStates = ['pending', 'delivered', 'failed'] as const
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number]

/** `gone`: the endpoint returned 410. */
export const webhookDisabledReasons = ['admin', 'failing', 'gone'] as const
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number]

const published = {
  id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  audience: z.enum(audiences),
  early_access_until: z.nullable(z.string()),
  /** The URL of the public page, or of the members' page if there is no public one. */
  url: z.url(),
}
/** Null if the account was deleted. */
const member = z.nullable(z.strictObject({ id: z.uuid(), email: z.string() }))
const method = z.enum([...paymentMethods, 'stripe'])
const subscription = z.strictObject({
  member,
  subscription: z.strictObject({
    tier: z.enum(tiers),
    status: z.enum(subscriptionStatuses),
    ends_at: z.nullable(z.string()),
    payment_method: z.nullable(method),
  }),
})

/** The `data` field of each event type. */
export const webhookData = {
  'track.published': z.strictObject({
    track: z.strictObject({ ...published, duration_seconds: z.number() }),
  }),
  'release.published': z.strictObject({
    release: z.strictObject({ ...published, kind: z.enum(releaseKinds), track_count: z.number() }),
  }),
  'member.joined': z.strictObject({ member }),
  'subscription.started': subscription,
  'subscription.paid': z.strictObject({
    member,
    payment: z.strictObject({
      id: z.uuid(),
      amount_cents: z.number(),
      currency: z.string(),
      payment_method: method,
      tier: z.nullable(z.enum(tiers)),
      paid_at: z.string(),
    }),
  }),
  'subscription.cancelled': subscription,
  'subscription.ended': subscription,
} satisfies Record<WebhookEventType, z.ZodMiniType>

/** The JSON payload. */
export const webhookPayload = z.strictObject({
  /** The id of the event, identical in every delivery and attempt. */
  id: z.uuid(),
  type: z.string(),
  created_at: z.string(),
  api_version: z.literal(webhookApiVersion),
  data: z.record(z.string(), z.unknown()),
})
export type WebhookPayload = z.infer<typeof webhookPayload>
