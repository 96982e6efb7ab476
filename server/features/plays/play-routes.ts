// Members' plays.
import { listRecentlyPlayed, reportPlay } from '#contract/plays.ts'
import type { Route } from '../../platform/http/route.ts'
import { listRecentTracks, recordPlay, type PlayServices } from './play-operations.ts'

export function playRoutes(route: Route, services: PlayServices): void {
  route(reportPlay, (ctx, input) => recordPlay(services, ctx, input))
  route(listRecentlyPlayed, listRecentTracks)
}
