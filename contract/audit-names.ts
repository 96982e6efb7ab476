// What audit entries say happened, and to what. Declared by operations in their `audit` (endpoint.ts).

export const auditActions = [
  'create',
  'update',
  'delete',
  'restore',
  'publish',
  'unpublish',
  'ban',
  'unban',
  'simulate',
  'retry',
  'sign_in',
  'export',
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
  'audit_log',
  'insights',
  'backup',
] as const
export type AuditEntity = (typeof auditEntities)[number]
