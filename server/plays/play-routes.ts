// What members heard.
import { listRecentlyPlayed, reportPlay } from '#contract/plays.ts'
import type { Route } from '../http/route.ts'
import { listRecentTracks, recordPlay } from './play-operations.ts'

export function playRoutes(route: Route): void {
  route(reportPlay, recordPlay)
  route(listRecentlyPlayed, listRecentTracks)
}
