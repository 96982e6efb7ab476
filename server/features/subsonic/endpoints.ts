// All calls of the Subsonic API by name, with the functions that handle them.
import * as account from './account.ts'
import * as browsing from './browsing.ts'
import { getCoverArt } from './cover-art.ts'
import * as folders from './folders.ts'
import * as likes from './likes.ts'
import * as lists from './lists.ts'
import * as lyrics from './lyrics.ts'
import * as media from './media.ts'
import * as queue from './play-queue.ts'
import * as playback from './playback.ts'
import * as playlists from './playlists.ts'
import * as similar from './similar-songs.ts'
import * as search from './search.ts'
import type { CallHandler, ResponseSender } from './subsonic-call.ts'

export type SubsonicEndpoint =
  | { kind: 'returns'; run: CallHandler }
  /** Sends a file. Errors of this call are XML, regardless of the requested format. */
  | { kind: 'sends'; run: ResponseSender }
  /** Status 501 if Velour does not support the call, 410 if it was removed from the API. */
  | { kind: 'refused'; status: 501 | 410 }

const handlers: Record<string, CallHandler> = {
  ping: account.ping,
  getLicense: account.getLicense,
  tokenInfo: account.tokenInfo,
  getUser: account.getUser,
  getUsers: account.getUsers,
  getScanStatus: account.getScanStatus,
  startScan: account.getScanStatus,
  getBookmarks: account.getBookmarks,
  getInternetRadioStations: account.getInternetRadioStations,
  getPodcasts: account.getPodcasts,
  getNewestPodcasts: account.getNewestPodcasts,
  getShares: account.getShares,
  getMusicFolders: browsing.getMusicFolders,
  getArtists: browsing.getArtists,
  getArtist: browsing.getArtist,
  getAlbum: browsing.getAlbum,
  getSong: browsing.getSong,
  getGenres: browsing.getGenres,
  getArtistInfo: browsing.getArtistInfo,
  getArtistInfo2: browsing.getArtistInfo2,
  getAlbumInfo: browsing.getAlbumInfo,
  getAlbumInfo2: browsing.getAlbumInfo2,
  getIndexes: folders.getIndexes,
  getMusicDirectory: folders.getMusicDirectory,
  getAlbumList: lists.getAlbumList,
  getAlbumList2: lists.getAlbumList2,
  getRandomSongs: lists.getRandomSongs,
  getSongsByGenre: lists.getSongsByGenre,
  getStarred: lists.getStarred,
  getStarred2: lists.getStarred2,
  getTopSongs: lists.getTopSongs,
  getSimilarSongs: similar.getSimilarSongs,
  getSimilarSongs2: similar.getSimilarSongs2,
  getSonicSimilarTracks: similar.getSonicSimilarTracks,
  findSonicPath: similar.findSonicPath,
  search2: search.search2,
  search3: search.search3,
  getPlaylists: playlists.getPlaylists,
  getPlaylist: playlists.getPlaylist,
  createPlaylist: playlists.createPlaylist,
  updatePlaylist: playlists.updatePlaylist,
  deletePlaylist: playlists.deletePlaylist,
  star: likes.star,
  unstar: likes.unstar,
  setRating: likes.setRating,
  scrobble: playback.scrobble,
  reportPlayback: playback.reportPlayback,
  getNowPlaying: playback.getNowPlaying,
  getLyrics: lyrics.getLyrics,
  getLyricsBySongId: lyrics.getLyricsBySongId,
  getPlayQueue: queue.getPlayQueue,
  getPlayQueueByIndex: queue.getPlayQueueByIndex,
  savePlayQueue: queue.savePlayQueue,
  savePlayQueueByIndex: queue.savePlayQueueByIndex,
}

const senders: Record<string, ResponseSender> = {
  stream: media.stream,
  download: media.download,
  getCoverArt,
  getAvatar: media.getAvatar,
}

const unsupported = [
  'addChatMessage',
  'changePassword',
  'createBookmark',
  'createInternetRadioStation',
  'createPodcastChannel',
  'createShare',
  'createUser',
  'deleteBookmark',
  'deleteInternetRadioStation',
  'deletePodcastChannel',
  'deletePodcastEpisode',
  'deleteShare',
  'deleteUser',
  'downloadPodcastEpisode',
  'getCaptions',
  'getChatMessages',
  'getPodcastEpisode',
  'getTranscodeDecision',
  'getTranscodeStream',
  'getVideoInfo',
  'getVideos',
  'hls',
  'hls.m3u8',
  'jukeboxControl',
  'refreshPodcasts',
  'updateInternetRadioStation',
  'updateShare',
  'updateUser',
]

export const subsonicEndpoints: ReadonlyMap<string, SubsonicEndpoint> = new Map<
  string,
  SubsonicEndpoint
>([
  ...Object.entries(handlers).map(([name, run]) => [name, { kind: 'returns', run }] as const),
  ...Object.entries(senders).map(([name, run]) => [name, { kind: 'sends', run }] as const),
  ...unsupported.map((name) => [name, { kind: 'refused', status: 501 }] as const),
  ['search', { kind: 'refused', status: 410 }],
])
