// A service that looks used: long lists, long names and every state. Other tests can use it, too:
//   const world = await openLivedInWorld()   // a Stage; sign in as world.member or world.admin; close it in afterAll
import type pg from 'pg'
import sharp from 'sharp'
import { maxStreams } from '../../contract/admin/admin-settings.ts'
import { createDatabase } from '../../server/platform/db/database.ts'
import { findRunningPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { withClient } from '../../server/platform/db/with-client.ts'
import { rollUpInsights } from '../../server/features/insights/roll-up-insights.ts'
import {
  requestUpload,
  changeSettings,
  publishTrack,
  type ApiClient,
} from '../harness/api-client.ts'
import { makeWav } from '../harness/make-wav.ts'
import { makePerson, type Person } from '../harness/people.ts'
import { admin } from '../harness/service.ts'
import { setStage, type Stage } from '../harness/stage.ts'
import { insertBusiness } from './insert-business.ts'
import { fullArtistSlug, insertCatalogue } from './insert-catalogue.ts'
import {
  insertAuditLog,
  insertCrowd,
  insertCuratedPlaylists,
  insertFailedJobs,
  insertImports,
  insertLibrary,
  insertShare,
  insertSmartPlaylist,
} from './insert-history.ts'
import { insertReleases } from './insert-releases.ts'
import { insertPeople } from './insert-people.ts'
import { timedLyrics } from './lived-in-texts.ts'

export interface LivedInWorld extends Stage {
  /** A Premium member with plays, likes and twelve playlists. */
  member: Person
  /** The owner, with plays, likes and playlists like the member's. */
  admin: { email: string; password: string }
  /** Tracks with audio, cover and lyrics, newest first. They are the first ones in Browse. */
  audibleTrackIds: string[]
  /** The first playlist is empty, the second has 500 tracks, the others have a few. */
  playlistIds: Record<'member' | 'admin', string[]>
  /** The member's smart playlist. */
  smartPlaylistId: string
  curatedPlaylistIds: string[]
  /** The first release has two discs, the second has the longest names. All are published. */
  releaseSlugs: string[]
  releaseIds: string[]
  /** A curated playlist that contains only tracks with audio, so that Play All never stops. */
  audiblePlaylistId: string
  /** One public page of each kind, and the page of the track with the longest names. */
  publicPaths: string[]
}

const audible = [
  'The Long and Unhurried Evening on Which Nothing Happened and Everything Was Decided 夜',
  'Velvet Weather',
]
/** As long as a song. The waveform of a shorter track is redrawn tens of times a second. */
const recordingSeconds = 180

export async function openLivedInWorld(
  options: Parameters<typeof setStage>[0] = {},
): Promise<LivedInWorld> {
  const stage = await setStage(options)
  const { owner, dataDir } = stage
  const member = await makePerson(owner, 'listener', 'premium')
  const audibleTrackIds = await publishAudible(owner)
  // Every window of a test counts as a device, so allow as many as possible.
  await changeSettings(owner, { streams_premium: maxStreams })
  const coverIds = await withOwnersClient(dataDir, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from images where kind = 'cover' order by created_at`,
    )
    return rows.map(({ id }) => id)
  })
  const filled = await withOwnersClient(dataDir, async (client) => {
    await client.query('begin')
    await insertCatalogue(client, coverIds)
    await insertPeople(client)
    const curatedPlaylistIds = await insertCuratedPlaylists(client, coverIds[0]!, audibleTrackIds)
    const releases = await insertReleases(client, audibleTrackIds)
    const ofMember = await insertLibrary(client, member.id)
    await client.query(
      `update profiles set subscription_tier = 'comped', subscription_status = 'active' where email = $1`,
      [admin.email],
    )
    const { rows } = await client.query<{ id: string }>(
      'select id from profiles where email = $1',
      [admin.email],
    )
    const ofAdmin = await insertLibrary(client, rows[0]!.id)
    // The member shares a playlist with the admin, and the admin one with the member.
    await insertShare(client, ofMember[7]!, rows[0]!.id)
    await insertShare(client, ofAdmin[6]!, member.id)
    const smartPlaylistId = await insertSmartPlaylist(client, member.id)
    await insertCrowd(client)
    await insertAuditLog(client)
    await insertFailedJobs(client)
    await insertImports(client)
    await insertBusiness(client, member.id)
    await client.query(
      'update insight_state set plays_until = null, money_until = null, rolled_at = null, took_ms = 0',
    )
    await client.query('commit')
    return {
      curatedPlaylistIds,
      ...releases,
      audiblePlaylistId: curatedPlaylistIds.at(-1)!,
      playlistIds: { member: ofMember, admin: ofAdmin },
      smartPlaylistId,
      publicPaths: await findPublicPaths(client, audibleTrackIds, curatedPlaylistIds[2]!),
    }
  })
  await aggregateInsights(dataDir)
  return { ...stage, member, admin, audibleTrackIds, ...filled }
}

/** Uploads and publishes tracks, each with its own cover. Returns their ids, newest first. */
async function publishAudible(owner: ApiClient): Promise<string[]> {
  const ids: string[] = []
  for (const [index, title] of audible.toReversed().entries()) {
    const cover_path = await uploadCover(owner, index)
    const { id } = await publishTrack(owner, makeWav(recordingSeconds, 220 + 60 * index), {
      title,
      lyrics: timedLyrics,
      cover_path,
    })
    ids.unshift(id)
  }
  return ids
}

async function findPublicPaths(
  client: pg.Client,
  trackIds: readonly string[],
  playlistId: string,
): Promise<string[]> {
  const { rows } = await client.query<{ path: string }>(
    `select (case kind when 'track' then '/t/' else '/p/' end) || slug as path from page_slugs
      where is_current and item_id = any($1)
     union all select '/r/longest'
     union all select '/r/rooms-by-the-water'
     union all select '/a/' || $2
     union all select '/c/mood-1'`,
    [[...trackIds, playlistId], fullArtistSlug],
  )
  return rows.map(({ path }) => path)
}

async function uploadCover(owner: ApiClient, index: number): Promise<string> {
  const background = ['#8a4468', '#2f6d7a', '#c98b2e'][index % 3]!
  const png = await sharp({ create: { width: 640, height: 640, channels: 3, background } })
    .png()
    .toBuffer()
  const { path, uploadUrl, uploadToken } = await requestUpload(
    owner,
    'cover.png',
    'image/png',
    png.length,
  )
  await owner.fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'upload-token': uploadToken, 'content-type': 'image/png' },
    body: new Uint8Array(png),
  })
  return path
}

async function withOwnersClient<T>(
  dataDir: string,
  work: Parameters<typeof withClient<T>>[1],
): Promise<T> {
  const { owner } = await findRunningPostgres(dataDir)
  return withClient(owner, work)
}

/** Aggregates the statistics now. The service does it only once a minute. */
async function aggregateInsights(dataDir: string): Promise<void> {
  const { owner } = await findRunningPostgres(dataDir)
  const log = { info() {}, warn: console.warn, error: console.error }
  const db = createDatabase({ connectionString: owner, maxConnections: 2, log })
  try {
    await rollUpInsights(db, new Date())
  } finally {
    await db.close()
  }
}
