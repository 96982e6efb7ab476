// The audit trail as admins read it.
import * as z from 'zod/mini'
import { auditActions, auditEntities } from './audit-names.ts'
import { dayOrMoment } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { pageQuery, pagination } from './pagination.ts'

export const auditPageSize = 20

export const auditEntry = z.object({
  id: z.uuid(),
  actor_id: z.nullable(z.uuid()),
  /** Null: the system, or an account that is deleted. */
  actor_email: z.nullable(z.string()),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  entity: z.string(),
  entity_id: z.nullable(z.string()),
  /** As it is called now or, once it is gone, as the entry recorded it. */
  entity_name: z.nullable(z.string()),
  /** What its page in the back office is opened by: the slug of a category, else the id. Null: there is none. */
  entity_key: z.nullable(z.string()),
  before: z.unknown(),
  after: z.unknown(),
  created_at: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditFilters = {
  /** An id or its first 8 characters, a part of an address or name, or 'system'. */
  actor_id: z.optional(z.string().check(z.maxLength(200))),
  action: z.optional(z.enum(auditActions)),
  entity: z.optional(z.enum(auditEntities)),
  /** A part of the name of what was changed, or its id or the first 8 characters of it. */
  entity_name: z.optional(z.string().check(z.maxLength(200))),
  /** From this day or moment on. */
  start_date: z.optional(dayOrMoment),
  /** To the end of this day, or to this moment. */
  end_date: z.optional(dayOrMoment),
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
  errors: ['rate_limited'],
})
