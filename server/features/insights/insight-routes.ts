// Figures for the owner, all read-only.
import {
  exportInsights,
  getInsights,
  getTrackInsights,
  listTopTracks,
} from '#contract/admin/insights.ts'
import type { Route } from '../../platform/http/route.ts'
import { exportInsightsAsCsv } from './insight-export.ts'
import { listMostPlayed, readInsights, readTrackInsights } from './insight-operations.ts'

export function insightRoutes(route: Route): void {
  route(getInsights, readInsights)
  route(listTopTracks, listMostPlayed)
  route(getTrackInsights, readTrackInsights)
  route.raw(exportInsights, exportInsightsAsCsv)
}
