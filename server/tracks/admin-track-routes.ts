// Admins' operations on tracks.
import {
  changeAdminTracks,
  getAdminTrack,
  listAdminTracks,
  publishTrack,
  unpublishTrack,
  updateAdminTrack,
} from '#contract/admin-tracks.ts'
import type { Route } from '../http/route.ts'
import { listTracksForAdmin } from './admin-track-list.ts'
import {
  changeTracks,
  getTrackForAdmin,
  setTrackPublished,
  updateTrack,
  type AdminTrackServices,
} from './admin-track-operations.ts'

export function adminTrackRoutes(route: Route, services: AdminTrackServices): void {
  route(listAdminTracks, listTracksForAdmin)
  route(getAdminTrack, getTrackForAdmin)
  route(changeAdminTracks, (ctx, input) => changeTracks(services, ctx, input))
  route(updateAdminTrack, (ctx, input) => updateTrack(services, ctx, input))
  route(publishTrack, (ctx, input) => setTrackPublished(ctx, input, true))
  route(unpublishTrack, (ctx, input) => setTrackPublished(ctx, input, false))
}
