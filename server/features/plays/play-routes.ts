// Routes of the operations on members' plays.
import * as contract from '#contract/plays.ts'
import type { Route } from '../../platform/http/route.ts'
import { listRecentlyPlayed, reportPlay, type PlayServices } from './play-operations.ts'

interface PlayRouteServices extends PlayServices {
  /** Evicts the member's start screen from the cache. */
  home: { evict: (userId: string) => void }
}

export function playRoutes(route: Route, services: PlayRouteServices): void {
  route(contract.reportPlay, async (ctx, input) => {
    const response = await reportPlay(services, ctx, input)
    if (input.body.context || response.is_counted) services.home.evict(ctx.actor.user_id)
    return response
  })
  route(contract.listRecentlyPlayed, listRecentlyPlayed)
}
