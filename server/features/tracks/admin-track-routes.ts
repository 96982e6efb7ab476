// Track operations for admins.
import {
  changeAdminTracks,
  getAdminTrack,
  listAdminTracks,
  processTrackAgain,
  publishTrack,
  restoreTracks,
  unpublishTrack,
  updateAdminTrack,
  updateAdminTracks,
} from '#contract/admin/admin-tracks.ts'
import { findTracksByHash, importTrack, listImportedTracks } from '#contract/admin/track-imports.ts'
import type { Route } from '../../platform/http/route.ts'
import { listTracksForAdmin } from './admin-track-list.ts'
import {
  changeTracks,
  getTrackForAdmin,
  setTrackPublished,
  updateTrack,
  type AdminTrackServices,
} from './admin-track-operations.ts'
import { restoreDeletedTracks } from './delete-tracks.ts'
import { findTracksWithHash, importTrackFromUpload, listTracksOfBatch } from './import-track.ts'
import { processAgain } from './process-again.ts'
import { updateManyTracks } from './update-many-tracks.ts'

export function adminTrackRoutes(route: Route, services: AdminTrackServices): void {
  route(listAdminTracks, listTracksForAdmin)
  route(getAdminTrack, getTrackForAdmin)
  route(changeAdminTracks, (ctx, input) => changeTracks(services, ctx, input))
  route(updateAdminTrack, (ctx, input) => updateTrack(services, ctx, input))
  route(updateAdminTracks, (ctx, input) => updateManyTracks(services, ctx, input))
  route(findTracksByHash, findTracksWithHash)
  route(importTrack, (ctx, input) => importTrackFromUpload(services, ctx, input))
  route(listImportedTracks, listTracksOfBatch)
  route(processTrackAgain, (ctx, input) => processAgain(services, ctx, input))
  route(restoreTracks, restoreDeletedTracks)
  route(publishTrack, (ctx, input) => setTrackPublished(ctx, input, true))
  route(unpublishTrack, (ctx, input) => setTrackPublished(ctx, input, false))
}
