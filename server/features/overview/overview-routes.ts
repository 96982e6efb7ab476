// The start page of the back office.
import { getAdminOverview, setSetupHidden } from '#contract/admin/admin-overview.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SystemServices } from '../system/system-operations.ts'
import { readOverview, saveSetupHidden } from './overview-operations.ts'

export function overviewRoutes(route: Route, services: SystemServices): void {
  route(getAdminOverview, (ctx) => readOverview(services, ctx))
  route(setSetupHidden, saveSetupHidden)
}
