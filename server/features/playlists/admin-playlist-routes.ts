// Admin operations on curated playlists.
import { changeAdminPlaylists, restoreAdminPlaylist } from '#contract/admin/admin-playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/take-picture.ts'
import { changePlaylistsAsAdmin, restorePlaylistAsAdmin } from './admin-playlist-operations.ts'

export function adminPlaylistRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(changeAdminPlaylists, (ctx, input) => changePlaylistsAsAdmin(pictures, ctx, input))
  route(restoreAdminPlaylist, restorePlaylistAsAdmin)
}
