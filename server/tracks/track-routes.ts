// Members' operations on tracks.
import { getTrack, likeTrack, listTracks, unlikeTrack } from '#contract/tracks.ts'
import type { Route } from '../http/route.ts'
import {
  getTrackForMember,
  likeTrackAsMember,
  listTracksForMember,
  unlikeTrackAsMember,
} from './track-operations.ts'

export function trackRoutes(route: Route): void {
  route(listTracks, listTracksForMember)
  route(getTrack, getTrackForMember)
  route(likeTrack, likeTrackAsMember)
  route(unlikeTrack, unlikeTrackAsMember)
}
