// The audit trail as admins read it.
import * as z from 'zod/mini'
import { dayOrMoment } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { pageQuery, pagination } from './pagination.ts'

export const auditPageSize = 20

export const auditActions = [
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'ban',
  'unban',
  'simulate',
  'retry',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEntities = [
  'track',
  'playlist',
  'genre',
  'user',
  'settings',
  'category',
  'subscription',
  'job',
] as const
export type AuditEntity = (typeof auditEntities)[number]

export const auditEntry = z.object({
  id: z.uuid(),
  actor_id: z.nullable(z.uuid()),
  action: z.string(),
  entity: z.string(),
  entity_id: z.nullable(z.string()),
  before: z.unknown(),
  after: z.unknown(),
  created_at: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditFilters = {
  actor_id: z.optional(z.uuid()),
  action: z.optional(z.enum(auditActions)),
  entity: z.optional(z.enum(auditEntities)),
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
  query: z.object(auditFilters),
  produces: 'text/csv',
  errors: ['rate_limited'],
})
