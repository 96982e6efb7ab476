// Routes of the admin operations on curated playlists.
import * as contract from '#contract/admin/admin-playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import { changeAdminPlaylists, restoreAdminPlaylist } from './admin-playlist-operations.ts'

export function adminPlaylistRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(contract.changeAdminPlaylists, (ctx, input) => changeAdminPlaylists(pictures, ctx, input))
  route(contract.restoreAdminPlaylist, restoreAdminPlaylist)
}
