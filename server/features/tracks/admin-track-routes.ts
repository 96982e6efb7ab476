// Routes of the track operations for admins.
import * as adminTracksContract from '#contract/admin/admin-tracks.ts'
import * as trackImportsContract from '#contract/admin/track-imports.ts'
import * as trackOriginsContract from '#contract/admin/track-origins.ts'
import * as trackVersionsContract from '#contract/admin/track-versions.ts'
import type { Route } from '../../platform/http/route.ts'
import { listAdminTracks } from './admin-track-list.ts'
import {
  changeAdminTracks,
  getAdminTrack,
  publishTrack,
  unpublishTrack,
  updateAdminTrack,
} from './admin-track-operations.ts'
import { restoreTracks } from './delete-tracks.ts'
import { importTrack, listImportedTracks, type ImportTrackServices } from './import-track.ts'
import { findTracksByHash } from './known-recordings.ts'
import { processTrackAgain } from './reprocess-track.ts'
import { getTrackOrigin, updateTrackOrigin, updateTrackOrigins } from './track-origins.ts'
import {
  getTrackVersions,
  dismissVersionProposal,
  linkTrackVersions,
  listVersionProposals,
  unlinkTrackVersion,
} from './track-versions.ts'
import { updateAdminTracks } from './update-many-tracks.ts'

export function adminTrackRoutes(route: Route, services: ImportTrackServices): void {
  route(adminTracksContract.listAdminTracks, listAdminTracks)
  route(adminTracksContract.getAdminTrack, getAdminTrack)
  route(adminTracksContract.changeAdminTracks, (ctx, input) =>
    changeAdminTracks(services, ctx, input),
  )
  route(adminTracksContract.updateAdminTrack, (ctx, input) =>
    updateAdminTrack(services, ctx, input),
  )
  route(adminTracksContract.updateAdminTracks, (ctx, input) =>
    updateAdminTracks(services, ctx, input),
  )
  route(trackImportsContract.findTracksByHash, findTracksByHash)
  route(trackImportsContract.importTrack, (ctx, input) => importTrack(services, ctx, input))
  route(trackImportsContract.listImportedTracks, listImportedTracks)
  route(adminTracksContract.processTrackAgain, (ctx, input) =>
    processTrackAgain(services, ctx, input),
  )
  route(trackOriginsContract.getTrackOrigin, getTrackOrigin)
  route(trackOriginsContract.updateTrackOrigin, (ctx, input) =>
    updateTrackOrigin(services, ctx, input),
  )
  route(trackOriginsContract.updateTrackOrigins, (ctx, input) =>
    updateTrackOrigins(services, ctx, input),
  )
  route(adminTracksContract.restoreTracks, restoreTracks)
  route(adminTracksContract.publishTrack, publishTrack)
  route(adminTracksContract.unpublishTrack, unpublishTrack)
  route(trackVersionsContract.getTrackVersions, getTrackVersions)
  route(trackVersionsContract.listVersionProposals, listVersionProposals)
  route(trackVersionsContract.linkTrackVersions, linkTrackVersions)
  route(trackVersionsContract.dismissVersionProposal, dismissVersionProposal)
  route(trackVersionsContract.unlinkTrackVersion, unlinkTrackVersion)
}
