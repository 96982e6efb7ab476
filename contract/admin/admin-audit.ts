// The audit log for admins.
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
  actor_email: z
    .nullable(z.string())
    .check(z.describe('Null for the system or a deleted account.')),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  entity: z.string(),
  entity_id: z.nullable(z.string()),
  entity_name: z
    .nullable(z.string())
    .check(z.describe('The current name, or the name in the entry if the object was deleted.')),
  entity_key: z
    .nullable(z.string())
    .check(
      z.describe(
        "The key of the object's page in the back office: the slug of a category, otherwise the id. Null if it has no page.",
      ),
    ),
  token_name: z
    .nullable(z.string())
    .check(
      z.describe('The access token used for the change. Null if the change was made in a browser.'),
    ),
  before: z.unknown().check(z.describe('The values before the change.')),
  after: z.unknown().check(z.describe('The values after the change.')),
  created_at: timestamp,
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditFilters = {
  actor_id: z
    .optional(z.string().check(z.maxLength(200)))
    .check(
      z.describe(
        'An id or its first 8 characters, a substring of an email address or name, or `system`.',
      ),
    ),
  action: z.optional(z.enum(auditActions)),
  entity: z.optional(z.enum(auditEntities)),
  entity_name: z
    .optional(z.string().check(z.maxLength(200)))
    .check(
      z.describe(
        "A substring of the changed object's name, its id, or the first 8 characters of its id.",
      ),
    ),
  start_date: z.optional(dayOrMoment).check(z.describe('On or after this day or time.')),
  end_date: z
    .optional(dayOrMoment)
    .check(z.describe('Up to the end of this day, or up to this time.')),
}

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin-audit-log',
  summary: 'Audit entries, newest first, 20 per page.',
  access: 'admin',
  mayLag: true,
  query: z.object({ ...auditFilters, ...pageQuery(auditPageSize) }),
  output: z.object({ data: z.array(auditEntry), pagination }),
})

export const exportAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin-audit-log/export.csv',
  summary: 'All matching audit entries as CSV.',
  access: 'admin',
  needsConfirmation: true,
  audit: { audit_log: ['export'] },
  query: z.object(auditFilters),
  produces: 'text/csv',
  rateLimit: exportLimit,
})
