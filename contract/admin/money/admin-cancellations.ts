// Cancellation reasons, for admins.
import * as z from 'zod/mini'
import { cancelReasons } from '../../cancellations.ts'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { tiers } from '../../plans.ts'

const reason = z.enum(cancelReasons)

export const listCancellations = endpoint({
  method: 'GET',
  path: '/api/admin-billing/cancellations',
  summary: 'Cancellations in the last 90 days: the number per reason, and the latest 50.',
  access: 'admin',
  output: z.object({
    counts: z.array(z.object({ reason, count: z.number() })),
    recent: z.array(
      z.object({
        user_id: z.uuid(),
        email: z.string(),
        tier: z.nullable(z.enum(tiers)),
        reason,
        comment: z.nullable(z.string()),
        canceled_at: timestamp,
        ends_at: z.nullable(timestamp),
      }),
    ),
  }),
})
export type Cancellation = z.infer<NonNullable<typeof listCancellations.output>>['recent'][number]
