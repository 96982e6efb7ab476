// Playlist operations for members.
import * as contract from '#contract/playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/take-picture.ts'
import { listPlaylists } from './playlist-list.ts'
import {
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  restorePlaylist,
  updatePlaylist,
} from './playlist-operations.ts'
import {
  addTrackToPlaylist,
  listPlaylistTracks,
  removeTrackFromPlaylist,
} from './playlist-track-operations.ts'

interface PlaylistRouteServices extends PictureServices {
  /** The first screen shows playlists from a cache. */
  home: { forget: (userId: string) => void }
}

export function playlistRoutes(route: Route, services: PlaylistRouteServices): void {
  route(contract.listPlaylists, listPlaylists)
  route(contract.getPlaylist, getPlaylist)
  route(contract.createPlaylist, (ctx, input) => createPlaylist(services, ctx, input))
  route(contract.updatePlaylist, async (ctx, input) => {
    const playlist = await updatePlaylist(services, ctx, input)
    services.home.forget(ctx.actor.user_id)
    return playlist
  })
  route(contract.deletePlaylist, async (ctx, input) => {
    await deletePlaylist(ctx, input)
    services.home.forget(ctx.actor.user_id)
  })
  route(contract.restorePlaylist, restorePlaylist)
  route(contract.listPlaylistTracks, listPlaylistTracks)
  route(contract.addTrackToPlaylist, addTrackToPlaylist)
  route(contract.removeTrackFromPlaylist, removeTrackFromPlaylist)
}
