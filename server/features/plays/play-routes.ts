// Members' plays.
import * as contract from '#contract/plays.ts'
import type { Route } from '../../platform/http/route.ts'
import { listRecentlyPlayed, reportPlay, type PlayServices } from './play-operations.ts'

export function playRoutes(route: Route, services: PlayServices): void {
  route(contract.reportPlay, (ctx, input) => reportPlay(services, ctx, input))
  route(contract.listRecentlyPlayed, listRecentlyPlayed)
}
