// Subsonic calls about the server and the caller's account, and calls that always return an empty result in Velour.
import { freeLimits } from '#contract/plans.ts'
import { sql } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { canPlayOffline } from '../billing/entitlements.ts'
import type { Tree } from './response.ts'

import { musicFolderId } from './browsing.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

export const ping: CallHandler = () => ({})

export const getLicense: CallHandler = ({ ctx }) => ({
  license: { valid: true, email: ctx.actor.email },
})

const extensions: Record<string, number[]> = {
  apiKeyAuthentication: [1],
  formPost: [1],
  songLyrics: [1, 2],
  indexBasedQueue: [1],
  playbackReport: [1],
  topSongsByArtistId: [1],
  sonicSimilarity: [1],
}

/** A client may make this call without signing in. */
export const openSubsonicExtensions: Tree = {
  openSubsonicExtensions: Object.entries(extensions).map(([name, versions]) => ({
    name,
    versions,
  })),
}

export const tokenInfo: CallHandler = ({ ctx }) => ({ tokenInfo: { username: ctx.actor.email } })

export const getUser: CallHandler = ({ ctx, parameters }) => {
  const { actor } = ctx
  const username = parameters.text('username')
  if (username && username.toLowerCase() !== actor.email.toLowerCase()) {
    throw new SubsonicError('not_authorized', 'You can only read your own account')
  }
  return { user: describeUser(actor) }
}

export const getUsers: CallHandler = ({ ctx }) => ({ users: { user: [describeUser(ctx.actor)] } })

/** Subsonic apps have no access to the back office, so the response gives nobody admin rights. */
function describeUser(actor: SubsonicCall['ctx']['actor']): Tree {
  return {
    username: actor.email,
    email: actor.email,
    scrobblingEnabled: true,
    adminRole: false,
    settingsRole: false,
    downloadRole: canPlayOffline(actor),
    uploadRole: false,
    playlistRole: freeLimits.playlists > 0,
    coverArtRole: false,
    commentRole: false,
    podcastRole: false,
    streamRole: true,
    jukeboxRole: false,
    shareRole: false,
    videoConversionRole: false,
    folder: [musicFolderId],
  }
}

/** Uploads are processed when they arrive, so there is never a running scan. */
export const getScanStatus: CallHandler = async ({ ctx }) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tracks t where ${isAvailable('t')}`.execute(ctx.db.query)
  return { scanStatus: { scanning: false, count: rows[0]!.count } }
}

export const getBookmarks: CallHandler = () => ({ bookmarks: { bookmark: [] } })
export const getInternetRadioStations: CallHandler = () => ({
  internetRadioStations: { internetRadioStation: [] },
})
export const getPodcasts: CallHandler = () => ({ podcasts: { channel: [] } })
export const getNewestPodcasts: CallHandler = () => ({ newestPodcasts: { episode: [] } })
export const getShares: CallHandler = () => ({ shares: { share: [] } })
