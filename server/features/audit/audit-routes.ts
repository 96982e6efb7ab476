// Admin operations on the audit trail. All are read-only.
import * as contract from '#contract/admin/admin-audit.ts'
import type { Route } from '../../platform/http/route.ts'
import { exportAuditLog, listAuditLog } from './audit-operations.ts'

export function auditRoutes(route: Route): void {
  route(contract.listAuditLog, listAuditLog)
  route.raw(contract.exportAuditLog, exportAuditLog)
}
