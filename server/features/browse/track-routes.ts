// Track operations for members.
import { getTrack, likeTrack, listTracks, unlikeTrack } from '#contract/tracks.ts'
import type { Route } from '../../platform/http/route.ts'
import type { BrowseLists } from './browse-lists.ts'
import {
  getTrackForMember,
  likeTrackAsMember,
  unlikeTrackAsMember,
} from '../tracks/track-operations.ts'

export function trackRoutes(route: Route, { browse }: { browse: BrowseLists }): void {
  route(listTracks, browse.list)
  route(getTrack, getTrackForMember)
  route(likeTrack, async (ctx, input) => {
    await likeTrackAsMember(ctx, input)
    browse.forgetLikes(ctx.actor.user_id)
  })
  route(unlikeTrack, async (ctx, input) => {
    await unlikeTrackAsMember(ctx, input)
    browse.forgetLikes(ctx.actor.user_id)
  })
}
