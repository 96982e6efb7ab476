// Routes with which players report their state.
import * as contract from '#contract/playing.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  startPlaying,
  keepPlaying,
  stopPlaying,
  type PlayingServices,
} from './playing-operations.ts'

export function playingRoutes(route: Route, services: PlayingServices): void {
  route(contract.startPlaying, (ctx, input) => startPlaying(services, ctx, input))
  route(contract.keepPlaying, (ctx, input) => keepPlaying(services, ctx, input))
  route(contract.stopPlaying, stopPlaying)
}
