// Public information about the service.
import { getSite, recordNotFoundVisit } from '#contract/site.ts'
import { isLocalRequest } from '../../platform/http/refusals/local-request.ts'
import type { Route } from '../../platform/http/route.ts'
import { describeSite, logNotFoundVisit, type SiteServices } from './site-operations.ts'

export function siteRoutes(route: Route, services: SiteServices): void {
  route.raw(getSite, async (_ctx, _input, request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(await describeSite(services, { isLocal: isLocalRequest(request) })),
  )
  route(recordNotFoundVisit, logNotFoundVisit)
}
