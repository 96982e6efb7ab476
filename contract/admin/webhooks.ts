// Outgoing webhooks: the endpoints that events are sent to, and the log of deliveries.
import * as z from 'zod/mini'
import { endpoint, type Output } from '../endpoint.ts'
import { timestamp } from '../fields/dates.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { hour } from '../rate-limit.ts'
import {
  webhookDeliveryStates,
  webhookDisabledReasons,
  webhookEventTypes,
  webhookTestType,
} from '../webhook-events.ts'

export const maxWebhookEndpoints = 20
export const webhookDescriptionMaxLength = 200
export const webhookUrlMaxLength = 2000
export const webhookDeliveryPageSize = 20
/** How long both secrets sign messages after a rotation. */
export const webhookOverlapHours = 24

export const webhookEndpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  is_enabled: z.boolean(),
  disabled_reason: z
    .nullable(z.enum(webhookDisabledReasons))
    .check(z.describe('Why the endpoint is disabled. Null if it is enabled.')),
  disabled_at: z.nullable(timestamp),
  failing_since: z
    .nullable(timestamp)
    .check(
      z.describe(
        'When the first failure since the last success occurred. Null if the last delivery succeeded.',
      ),
    ),
  old_secret_until: z
    .nullable(timestamp)
    .check(
      z.describe(
        'When the previous secret stops signing messages. Null if there is no previous secret.',
      ),
    ),
  created_at: timestamp,
})
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

const fields = {
  url: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please enter an address'),
      z.maxLength(webhookUrlMaxLength),
      z.url('Please enter a complete address, such as https://example.com/hooks'),
    ),
  description: z.string().check(z.trim(), z.maxLength(webhookDescriptionMaxLength)),
  event_types: z
    .array(z.enum(webhookEventTypes))
    .check(z.minLength(1, 'Choose at least one event'), z.maxLength(webhookEventTypes.length)),
}
const byId = z.object({ id: z.uuid() })
/** Only this response contains the secret. */
export const webhookWithSecret = z.extend(webhookEndpoint, {
  secret: z
    .string()
    .check(
      z.describe(
        'The secret that signs messages as specified by Standard Webhooks. It is not returned again.',
      ),
    ),
})
const withSecret = z.object({ data: webhookWithSecret })

export const listWebhookEndpoints = endpoint({
  method: 'GET',
  path: '/api/admin-webhooks',
  summary: 'The endpoints of outgoing webhooks, oldest first. Their secrets are not included.',
  access: 'admin',
  output: z.object({ data: z.array(webhookEndpoint) }),
})

export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin-webhooks',
  summary:
    'Create an endpoint. Events are sent to its URL and signed as specified by Standard Webhooks. This is the only response that contains the secret.',
  access: 'admin',
  needsConfirmation: true,
  creates: true,
  audit: { webhook: ['create'] },
  body: z.object({
    url: fields.url,
    description: z._default(fields.description, ''),
    event_types: fields.event_types,
  }),
  output: withSecret,
  errors: ['too_many_webhooks', 'webhook_url_refused', 'webhook_url_private'],
})

export const updateWebhookEndpoint = endpoint({
  method: 'PATCH',
  path: '/api/admin-webhooks/:id',
  summary: 'Change the URL, description or events of an endpoint, or enable or disable it.',
  access: 'admin',
  needsConfirmation: { url: 'any value' },
  audit: { webhook: ['update'] },
  params: byId,
  body: z.object({
    url: z.optional(fields.url),
    description: z.optional(fields.description),
    event_types: z.optional(fields.event_types),
    is_enabled: z.optional(z.boolean()),
  }),
  output: z.object({ data: webhookEndpoint }),
  errors: ['not_found', 'webhook_url_refused', 'webhook_url_private'],
})

export const deleteWebhookEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/admin-webhooks/:id',
  summary: 'Delete an endpoint and its deliveries.',
  access: 'admin',
  needsConfirmation: true,
  audit: { webhook: ['delete'] },
  params: byId,
  errors: ['not_found'],
})

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/admin-webhooks/:id/rotate-secret',
  summary:
    'Rotate the secret of an endpoint. For 24 hours messages are also signed with the old secret. This is the only response that contains the new one.',
  access: 'admin',
  needsConfirmation: true,
  audit: { webhook: ['update'] },
  params: byId,
  output: withSecret,
  errors: ['not_found'],
})

export const sendWebhookTest = endpoint({
  method: 'POST',
  path: '/api/admin-webhooks/:id/test',
  summary: `Send an event of the type ${webhookTestType} to an endpoint.`,
  access: 'admin',
  audit: { webhook: ['simulate'] },
  params: byId,
  output: z.object({
    data: z.object({
      delivery_id: z.uuid().check(z.describe("The delivery's log entry.")),
    }),
  }),
  rateLimit: { name: 'webhook-test', per: 'account', count: 120, seconds: hour },
  errors: ['not_found', 'webhook_disabled'],
})

export const webhookDelivery = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  url: z.string(),
  event_id: z.uuid(),
  type: z.string(),
  state: z.enum(webhookDeliveryStates),
  attempts: z.number().check(z.describe('Number of attempts.')),
  response_status: z
    .nullable(z.number())
    .check(z.describe('HTTP status of the last response. Null if there was none.')),
  error: z.nullable(z.string()),
  duration_ms: z
    .nullable(z.number())
    .check(z.describe('Duration of the last attempt. Null if it is still running.')),
  next_attempt_at: z
    .nullable(timestamp)
    .check(z.describe('When the next retry is due. Null if none is scheduled.')),
  created_at: timestamp,
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const webhookAttempt = z.object({
  number: z.number(),
  started_at: timestamp,
  duration_ms: z
    .nullable(z.number())
    .check(
      z.describe(
        'Duration of the attempt. Null if it is still running or the server stopped before it ended.',
      ),
    ),
  response_status: z
    .nullable(z.number())
    .check(z.describe('HTTP status of the response. Null if there was none.')),
  response_body: z.nullable(z.string()).check(z.describe('The beginning of the response body.')),
  error: z.nullable(z.string()),
})
export type WebhookAttempt = z.infer<typeof webhookAttempt>

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/admin-webhook-deliveries',
  summary: 'The deliveries of the last 30 days, newest first.',
  access: 'admin',
  query: z.object({
    endpoint_id: z.optional(z.uuid()),
    state: z.optional(z.enum(webhookDeliveryStates)),
    type: z.optional(z.enum([...webhookEventTypes, webhookTestType])),
    ...pageQuery(webhookDeliveryPageSize),
  }),
  output: z.object({ data: z.array(webhookDelivery), pagination }),
})

export const getWebhookDelivery = endpoint({
  method: 'GET',
  path: '/api/admin-webhook-deliveries/:id',
  summary: 'A delivery: its message, and each attempt with its response.',
  access: 'admin',
  params: byId,
  output: z.object({
    data: z.extend(webhookDelivery, {
      request_body: z.string().check(z.describe('The exact text that was signed and sent.')),
      attempt_log: z.array(webhookAttempt).check(z.describe('All attempts, newest first.')),
    }),
  }),
  errors: ['not_found'],
})
export type WebhookDeliveryDetail = Output<typeof getWebhookDelivery>['data']

export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/api/admin-webhook-deliveries/:id/resend',
  summary: 'Send an event again, with the same id and a new retry schedule.',
  access: 'admin',
  audit: { webhook: ['retry'] },
  params: byId,
  errors: ['not_found', 'webhook_disabled'],
})
