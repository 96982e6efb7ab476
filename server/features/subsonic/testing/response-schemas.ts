// Schemas of the Subsonic API's responses, for tests. Unknown fields fail the validation.
import * as z from 'zod/mini'

const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/))
const whole = z.number().check(z.int(), z.minimum(0))
const songId = z.string().check(z.regex(/^tr-[0-9a-f-]{36}$/))
const albumId = z.string().check(z.regex(/^al-[0-9a-f-]{36}$/))
const artistId = z.string().check(z.regex(/^ar-[0-9a-f-]{36}$/))
const playlistId = z.string().check(z.regex(/^pl-[0-9a-f-]{36}$/))
const coverId = z.string().check(z.regex(/^co-[0-9a-f-]{36}$/))
const named = z.strictObject({ name: z.string() })
const artistRef = z.strictObject({ id: artistId, name: z.string() })
const date = z.strictObject({ year: whole, month: whole, day: whole })
const own = {
  starred: z.optional(time),
  userRating: z.optional(whole),
  playCount: z.optional(whole),
  played: z.optional(time),
}

const songFields = {
  id: songId,
  parent: albumId,
  isDir: z.literal(false),
  title: z.string(),
  album: z.string(),
  artist: z.string(),
  track: whole,
  discNumber: whole,
  year: whole,
  genre: z.optional(z.string()),
  coverArt: z.optional(coverId),
  duration: z.optional(whole),
  size: z.optional(whole),
  suffix: z.optional(z.literal('m4a')),
  contentType: z.optional(z.literal('audio/mp4')),
  bitRate: z.optional(whole),
  path: z.string(),
  isVideo: z.literal(false),
  type: z.literal('music'),
  mediaType: z.literal('song'),
  created: time,
  albumId,
  artistId,
  ...own,
  comment: z.optional(z.string()),
  genres: z.array(named),
  artists: z.array(artistRef).check(z.minLength(1)),
  displayArtist: z.string(),
  albumArtists: z.array(artistRef),
  displayAlbumArtist: z.string(),
  moods: z.array(z.string()),
  groupings: z.array(z.string()),
  explicitStatus: z.enum(['explicit', '']),
  replayGain: z.optional(
    z.strictObject({ trackGain: z.number(), trackPeak: z.optional(z.number()) }),
  ),
}
const song = z.strictObject(songFields)

const albumFields = {
  id: albumId,
  name: z.string(),
  artist: z.string(),
  artistId,
  coverArt: z.optional(coverId),
  songCount: whole,
  duration: whole,
  created: time,
  ...own,
  year: whole,
  genre: z.optional(z.string()),
  genres: z.array(named),
  artists: z.array(artistRef).check(z.minLength(1)),
  displayArtist: z.string(),
  releaseTypes: z.array(z.enum(['Album', 'EP', 'Single', 'Compilation'])),
  isCompilation: z.boolean(),
  explicitStatus: z.enum(['explicit', '']),
  recordLabels: z.array(named),
  originalReleaseDate: date,
  releaseDate: date,
}
const album = z.strictObject(albumFields)

const folder = z.strictObject({
  id: albumId,
  parent: artistId,
  isDir: z.literal(true),
  title: z.string(),
  album: z.string(),
  artist: z.string(),
  artistId,
  albumId,
  coverArt: z.optional(coverId),
  created: time,
  ...own,
  year: whole,
  genre: z.optional(z.string()),
  duration: whole,
  explicitStatus: z.enum(['explicit', '']),
  isVideo: z.literal(false),
  mediaType: z.literal('album'),
})

const artistFields = {
  id: artistId,
  name: z.string(),
  coverArt: z.optional(coverId),
  albumCount: whole,
  starred: z.optional(time),
  userRating: z.optional(whole),
  sortName: z.optional(z.string()),
}
const artist = z.strictObject(artistFields)
const artistFolder = z.strictObject({
  id: artistId,
  name: z.string(),
  coverArt: z.optional(coverId),
  starred: z.optional(time),
  userRating: z.optional(whole),
})

const playlistFields = {
  id: playlistId,
  name: z.string(),
  comment: z.optional(z.string()),
  owner: z.string(),
  public: z.boolean(),
  songCount: whole,
  duration: whole,
  created: time,
  changed: time,
  coverArt: z.optional(coverId),
  readonly: z.boolean(),
}

const queueFields = {
  position: whole,
  username: z.string(),
  changed: time,
  changedBy: z.string(),
  entry: z.array(song),
}

const index = <T extends z.ZodMiniType>(of: T) =>
  z.array(z.strictObject({ name: z.string(), artist: z.array(of) }))

const envelope = {
  version: z.literal('1.16.1'),
  type: z.string(),
  serverVersion: z.string(),
  openSubsonic: z.literal(true),
}
const ok = (fields: Record<string, z.ZodMiniType> = {}) =>
  z.strictObject({ status: z.literal('ok'), ...envelope, ...fields })
const songs = z.strictObject({ song: z.array(song) })
const similar = ok({
  sonicMatch: z.array(
    z.strictObject({ entry: song, similarity: z.number().check(z.minimum(0), z.maximum(1)) }),
  ),
})
const nothing = z.array(z.never())
const address = z.url()
const artistInfo = z.strictObject({
  biography: z.string(),
  musicBrainzId: z.literal(''),
  lastFmUrl: z.literal(''),
  smallImageUrl: z.optional(address),
  mediumImageUrl: z.optional(address),
  largeImageUrl: z.optional(address),
  similarArtist: z.array(artist),
})
const playlist = ok({ playlist: z.strictObject({ ...playlistFields, entry: z.array(song) }) })

export const responseSchemas: Record<string, z.ZodMiniType> = {
  failed: z.strictObject({
    status: z.literal('failed'),
    ...envelope,
    error: z.strictObject({ code: whole, message: z.string(), helpUrl: z.optional(z.url()) }),
  }),
  star: ok(),
  unstar: ok(),
  setRating: ok(),
  scrobble: ok(),
  reportPlayback: ok(),
  savePlayQueue: ok(),
  savePlayQueueByIndex: ok(),
  updatePlaylist: ok(),
  deletePlaylist: ok(),
  getShares: ok({ shares: z.strictObject({ share: nothing }) }),
  getArtistInfo: ok({ artistInfo }),
  getArtistInfo2: ok({ artistInfo2: artistInfo }),
  getLyrics: ok({
    lyrics: z.strictObject({ artist: z.string(), title: z.string(), value: z.string() }),
  }),
  getPodcasts: ok({ podcasts: z.strictObject({ channel: nothing }) }),
  getInternetRadioStations: ok({
    internetRadioStations: z.strictObject({ internetRadioStation: nothing }),
  }),
  getBookmarks: ok({ bookmarks: z.strictObject({ bookmark: nothing }) }),
  getLicense: ok({ license: z.strictObject({ valid: z.literal(true), email: z.string() }) }),
  tokenInfo: ok({ tokenInfo: z.strictObject({ username: z.string() }) }),
  getMusicFolders: ok({
    musicFolders: z.strictObject({
      musicFolder: z.array(z.strictObject({ id: whole, name: z.string() })),
    }),
  }),
  getScanStatus: ok({ scanStatus: z.strictObject({ scanning: z.literal(false), count: whole }) }),
  getArtists: ok({
    artists: z.strictObject({ ignoredArticles: z.string(), index: index(artist) }),
  }),
  getArtist: ok({ artist: z.strictObject({ ...artistFields, album: z.array(album) }) }),
  getAlbum: ok({ album: z.strictObject({ ...albumFields, song: z.array(song) }) }),
  getSong: ok({ song }),
  getGenres: ok({
    genres: z.strictObject({
      genre: z.array(z.strictObject({ value: z.string(), songCount: whole, albumCount: whole })),
    }),
  }),
  getIndexes: ok({
    indexes: z.strictObject({
      lastModified: whole,
      ignoredArticles: z.string(),
      index: index(artistFolder),
    }),
  }),
  getAlbumList2: ok({ albumList2: z.strictObject({ album: z.array(album) }) }),
  getAlbumList: ok({ albumList: z.strictObject({ album: z.array(folder) }) }),
  getRandomSongs: ok({ randomSongs: songs }),
  getSongsByGenre: ok({ songsByGenre: songs }),
  getTopSongs: ok({ topSongs: songs }),
  getSimilarSongs: ok({ similarSongs: songs }),
  getSimilarSongs2: ok({ similarSongs2: songs }),
  getSonicSimilarTracks: similar,
  findSonicPath: similar,
  getStarred2: ok({
    starred2: z.strictObject({
      artist: z.array(artist),
      album: z.array(album),
      song: z.array(song),
    }),
  }),
  search3: ok({
    searchResult3: z.strictObject({
      artist: z.array(artist),
      album: z.array(album),
      song: z.array(song),
    }),
  }),
  getPlaylists: ok({
    playlists: z.strictObject({ playlist: z.array(z.strictObject(playlistFields)) }),
  }),
  getPlaylist: playlist,
  createPlaylist: playlist,
  getPlayQueue: ok({
    playQueue: z.strictObject({ ...queueFields, current: z.optional(songId) }),
  }),
  getPlayQueueByIndex: ok({
    playQueueByIndex: z.strictObject({ ...queueFields, currentIndex: z.optional(whole) }),
  }),
  getNowPlaying: ok({
    nowPlaying: z.strictObject({
      entry: z.array(
        z.strictObject({
          ...songFields,
          username: z.string(),
          minutesAgo: whole,
          playerId: whole,
          positionMs: whole,
        }),
      ),
    }),
  }),
}
