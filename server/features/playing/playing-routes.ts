// What players say of themselves.
import { keepPlaying, startPlaying, stopPlaying } from '#contract/playing.ts'
import type { Route } from '../../platform/http/route.ts'
import { claimPlace, keepPlace, leavePlace, type PlayingServices } from './playing-operations.ts'

export function playingRoutes(route: Route, services: PlayingServices): void {
  route(startPlaying, (ctx, input) => claimPlace(services, ctx, input))
  route(keepPlaying, (ctx, input) => keepPlace(services, ctx, input))
  route(stopPlaying, leavePlace)
}
