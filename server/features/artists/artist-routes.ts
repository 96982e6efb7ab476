// Routes of the artist operations for members and admins.
import * as adminContract from '#contract/admin/admin-artists.ts'
import * as contract from '#contract/artists.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  createArtist,
  getAdminArtist,
  listAdminArtists,
  updateArtist,
  type ArtistServices,
} from './admin-artist-operations.ts'
import { getArtist, listArtists } from './artist-operations.ts'
import { followArtist, unfollowArtist } from './follow-operations.ts'
import { undoArtistChange } from './artist-undo.ts'
import { deleteArtist, mergeArtists, splitArtist } from './merge-artists.ts'

export function artistRoutes(route: Route, services: ArtistServices): void {
  route(contract.listArtists, listArtists)
  route(contract.getArtist, getArtist)
  route(contract.followArtist, followArtist)
  route(contract.unfollowArtist, unfollowArtist)
  route(adminContract.listAdminArtists, listAdminArtists)
  route(adminContract.getAdminArtist, getAdminArtist)
  route(adminContract.createArtist, (ctx, input) => createArtist(services, ctx, input))
  route(adminContract.updateArtist, (ctx, input) => updateArtist(services, ctx, input))
  route(adminContract.deleteArtist, deleteArtist)
  route(adminContract.mergeArtists, (ctx, input) => mergeArtists(services, ctx, input))
  route(adminContract.splitArtist, (ctx, input) => splitArtist(services, ctx, input))
  route(adminContract.undoArtistChange, (ctx, input) => undoArtistChange(services, ctx, input))
}
