// The audit trail for admins.
import * as z from 'zod/mini'
import { auditActions, auditEntities } from '../audit-names.ts'
import { dayOrMoment, timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { exportLimit } from '../rate-limit.ts'

export const auditPageSize = 20

export const auditEntry = z.object({
  id: z.uuid(),
  actor_id: z.nullable(z.uuid()),
  actor_email: z.nullable(z.string()).check(z.describe('Null: the system, or a deleted account.')),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  entity: z.string(),
  entity_id: z.nullable(z.string()),
  entity_name: z
    .nullable(z.string())
    .check(z.describe('The current name or, if it was deleted, the name in the entry.')),
  entity_key: z
    .nullable(z.string())
    .check(
      z.describe(
        'The key of its page in the back office: the slug of a category, else the id. Null: it has no page.',
      ),
    ),
  token_name: z
    .nullable(z.string())
    .check(z.describe('The access token that the change was made with. Null: in the browser.')),
  before: z.unknown(),
  after: z.unknown(),
  created_at: timestamp,
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditFilters = {
  actor_id: z
    .optional(z.string().check(z.maxLength(200)))
    .check(
      z.describe(
        "An id or its first 8 characters, a substring of an address or name, or 'system'.",
      ),
    ),
  action: z.optional(z.enum(auditActions)),
  entity: z.optional(z.enum(auditEntities)),
  entity_name: z
    .optional(z.string().check(z.maxLength(200)))
    .check(
      z.describe(
        "A substring of the name of the changed thing, its id, or the id's first 8 characters.",
      ),
    ),
  start_date: z.optional(dayOrMoment).check(z.describe('From this day or time on, inclusive.')),
  end_date: z.optional(dayOrMoment).check(z.describe('To the end of this day, or to this time.')),
}

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin-audit-log',
  summary: 'Who changed what, newest first, 20 a page.',
  access: 'admin',
  mayLag: true,
  query: z.object({ ...auditFilters, ...pageQuery(auditPageSize) }),
  output: z.object({ data: z.array(auditEntry), pagination }),
})

export const exportAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin-audit-log/export.csv',
  summary: 'All entries that match, as CSV.',
  access: 'admin',
  needsConfirmation: true,
  audit: { audit_log: ['export'] },
  query: z.object(auditFilters),
  produces: 'text/csv',
  rateLimit: exportLimit,
})
