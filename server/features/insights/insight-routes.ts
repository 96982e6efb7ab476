// Read-only routes for the owner's statistics.
import * as contract from '#contract/admin/insights.ts'
import * as membershipContract from '#contract/admin/money/membership-insights.ts'
import type { Route } from '../../platform/http/route.ts'
import { listEarlyAccess } from './early-access.ts'
import { exportInsights } from './insight-export.ts'
import { getMembershipInsights } from './membership-insights.ts'
import { listPageInsights } from './page-insights.ts'
import { listTopTracks, getInsights, getTrackInsights } from './insight-operations.ts'

export function insightRoutes(route: Route): void {
  route(contract.getInsights, getInsights)
  route(contract.listTopTracks, listTopTracks)
  route(contract.getTrackInsights, getTrackInsights)
  route(contract.listEarlyAccess, listEarlyAccess)
  route(contract.listPageInsights, listPageInsights)
  route(membershipContract.getMembershipInsights, getMembershipInsights)
  route.raw(contract.exportInsights, exportInsights)
}
