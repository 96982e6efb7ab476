// Admin operations on the audit trail, all read-only.
import { exportAuditLog, listAuditLog } from '#contract/admin/admin-audit.ts'
import type { Route } from '../../platform/http/route.ts'
import { exportAuditEntries, listAuditEntries } from './audit-operations.ts'

export function auditRoutes(route: Route): void {
  route(listAuditLog, listAuditEntries)
  route.raw(exportAuditLog, exportAuditEntries)
}
