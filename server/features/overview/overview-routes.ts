// Routes for the start page of the back office.
import * as contract from '#contract/admin/admin-overview.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SystemServices } from '../system/system-operations.ts'
import { getAdminOverview, setSetupHidden } from './overview-operations.ts'

export function overviewRoutes(route: Route, services: SystemServices): void {
  route(contract.getAdminOverview, (ctx) => getAdminOverview(services, ctx))
  route(contract.setSetupHidden, setSetupHidden)
}
