// Routes of the track operations for members, with cached lists.
import * as contract from '#contract/tracks.ts'
import type { Route } from '../../platform/http/route.ts'
import type { BrowseLists } from './browse-lists.ts'
import { getTrack, likeTrack, likeTracks, unlikeTrack } from '../tracks/track-operations.ts'

export function trackRoutes(route: Route, { browse }: { browse: BrowseLists }): void {
  route(contract.listTracks, browse.listTracks)
  route(contract.getTrack, getTrack)
  route(contract.likeTrack, async (ctx, input) => {
    await likeTrack(ctx, input)
    browse.evictLikes(ctx.actor.user_id)
  })
  route(contract.likeTracks, async (ctx, input) => {
    await likeTracks(ctx, input)
    browse.evictLikes(ctx.actor.user_id)
  })
  route(contract.unlikeTrack, async (ctx, input) => {
    await unlikeTrack(ctx, input)
    browse.evictLikes(ctx.actor.user_id)
  })
}
