// Actions and entities of audit entries. Operations declare them in `audit` (endpoint.ts).

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
  'merge',
  'split',
  'import',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEntities = [
  'track',
  'playlist',
  'release',
  'genre',
  'user',
  'settings',
  'category',
  'subscription',
  'job',
  'audit_log',
  'insights',
  'backup',
  'artist',
  'access_token',
  'catalogue',
  'webhook',
  'invitation',
  'announcement',
  'royalty',
  'promotion_code',
  'spot',
  'support',
  'referral',
  'gift',
] as const
export type AuditEntity = (typeof auditEntities)[number]
