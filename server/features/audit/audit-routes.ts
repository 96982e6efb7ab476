// Routes of the audit trail for admins. All only read.
import * as contract from '#contract/admin/admin-audit.ts'
import type { Route } from '../../platform/http/route.ts'
import { exportAuditLog, listAuditLog } from './audit-operations.ts'

export function auditRoutes(route: Route): void {
  route(contract.listAuditLog, listAuditLog)
  route.raw(contract.exportAuditLog, exportAuditLog)
}
