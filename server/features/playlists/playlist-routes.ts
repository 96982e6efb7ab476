// Routes of playlist operations for members.
import * as contract from '#contract/playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
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

export function playlistRoutes(route: Route, pictures: PictureServices): void {
  route(contract.listPlaylists, listPlaylists)
  route(contract.getPlaylist, getPlaylist)
  route(contract.createPlaylist, (ctx, input) => createPlaylist(pictures, ctx, input))
  route(contract.updatePlaylist, (ctx, input) => updatePlaylist(pictures, ctx, input))
  route(contract.deletePlaylist, deletePlaylist)
  route(contract.restorePlaylist, restorePlaylist)
  route(contract.listPlaylistTracks, listPlaylistTracks)
  route(contract.addTrackToPlaylist, addTrackToPlaylist)
  route(contract.removeTrackFromPlaylist, removeTrackFromPlaylist)
}
