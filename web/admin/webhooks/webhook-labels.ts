// Names of webhook events and states, as shown on the Webhooks screen.
import type { WebhookDelivery, WebhookEndpoint } from '#contract/admin/webhooks.ts'
import {
  webhookEventTypes,
  webhookTestType,
  type WebhookEventType,
} from '#contract/webhook-events.ts'
import type { BadgeProps } from '../../base/ui/display/badge.tsx'

const eventLabels: Record<WebhookEventType, string> = {
  'track.published': 'Track published',
  'release.published': 'Release published',
  'member.joined': 'Member joined',
  'subscription.started': 'Subscription started',
  'subscription.paid': 'Payment recorded',
  'subscription.cancelled': 'Subscription canceled',
  'subscription.ended': 'Subscription ended',
}

export const eventOptions = webhookEventTypes.map((value) => ({ value, label: eventLabels[value] }))
export const loggedEventOptions = [...eventOptions, { value: webhookTestType, label: 'Test' }]

/** Returns the label of an event type. An unknown one, which another version may have added, is returned as it is. */
export function eventName(type: string): string {
  return loggedEventOptions.find(({ value }) => value === type)?.label ?? type
}

export const stateLabels: Record<WebhookDelivery['state'], string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}
export const stateTones: Record<WebhookDelivery['state'], BadgeProps['tone']> = {
  pending: 'warning',
  delivered: 'success',
  failed: 'danger',
}

export function getEndpointName({
  description,
  url,
}: Pick<WebhookEndpoint, 'description' | 'url'>) {
  return description || new URL(url).host
}

/** Describes the result of an attempt in a few words. */
export function describeAttempt({
  response_status,
  error,
  duration_ms,
}: Pick<WebhookDelivery, 'response_status' | 'error' | 'duration_ms'>): string {
  const time = duration_ms === null ? '' : ` in ${formatMs(duration_ms)}`
  if (response_status !== null) return `${response_status}${time}`
  return error ?? '–'
}

const formatMs = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
