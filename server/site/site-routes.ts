// Public facts about the service.
import { getSite, recordNotFoundVisit } from '#contract/site.ts'
import type { Route } from '../http/route.ts'
import { describeSite, logNotFoundVisit, type SiteServices } from './site-operations.ts'

export function siteRoutes(route: Route, services: SiteServices): void {
  route(getSite, () => describeSite(services))
  route(recordNotFoundVisit, logNotFoundVisit)
}
