// Playlist operations for members.
import {
  addTrackToPlaylist,
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  listPlaylists,
  listPlaylistTracks,
  removeTrackFromPlaylist,
  restorePlaylist,
  updatePlaylist,
} from '#contract/playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/take-picture.ts'
import { listPlaylistsForMember } from './playlist-list.ts'
import {
  createOwnPlaylist,
  deleteOwnPlaylist,
  getReadablePlaylist,
  restoreOwnPlaylist,
  updateOwnPlaylist,
} from './playlist-operations.ts'
import { addTrack, listTracksOfPlaylist, removeTrack } from './playlist-track-operations.ts'

export function playlistRoutes(route: Route, pictures: PictureServices): void {
  route(listPlaylists, listPlaylistsForMember)
  route(getPlaylist, getReadablePlaylist)
  route(createPlaylist, (ctx, input) => createOwnPlaylist(pictures, ctx, input))
  route(updatePlaylist, (ctx, input) => updateOwnPlaylist(pictures, ctx, input))
  route(deletePlaylist, deleteOwnPlaylist)
  route(restorePlaylist, restoreOwnPlaylist)
  route(listPlaylistTracks, listTracksOfPlaylist)
  route(addTrackToPlaylist, addTrack)
  route(removeTrackFromPlaylist, removeTrack)
}
