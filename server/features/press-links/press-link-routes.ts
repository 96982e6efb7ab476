import * as contract from '#contract/admin/press-links.ts'
import type { Route } from '../../platform/http/route.ts'
import { createPressLink, deletePressLink, listPressLinks } from './press-link-operations.ts'

export function pressLinkRoutes(
  route: Route,
  services: Parameters<typeof createPressLink>[0],
): void {
  route(contract.listPressLinks, listPressLinks)
  route(contract.createPressLink, (ctx, input) => createPressLink(services, ctx, input))
  route(contract.deletePressLink, deletePressLink)
}
