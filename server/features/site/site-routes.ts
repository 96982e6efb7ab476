// Routes for public information about the service.
import * as contract from '#contract/site.ts'
import { isLocalRequest } from '../../platform/http/refusals/local-request.ts'
import type { Route } from '../../platform/http/route.ts'
import { getSite, recordNotFoundVisit, type SiteServices } from './site-operations.ts'

export function siteRoutes(route: Route, services: SiteServices): void {
  route.raw(contract.getSite, async (_ctx, _input, request, reply) => {
    const site = await getSite(services, { isLocal: isLocalRequest(request) })
    return reply.header('cache-control', 'no-store').send(site)
  })
  route(contract.recordNotFoundVisit, recordNotFoundVisit)
}
