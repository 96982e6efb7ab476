// Playlists in the Subsonic API: the member's own, those shared with them, curated ones, and public ones of other
// members. Every change runs the web app's operation, including its plan limits.
import { sql } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import * as contract from '#contract/playlists.ts'
import type { Playlist } from '#contract/playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import type { Database } from '../../platform/db/database.ts'
import { hasFullAccess } from '../billing/entitlements.ts'
import { listPlaylists } from '../playlists/playlist-list.ts'
import * as own from '../playlists/playlist-operations.ts'
import { readRules } from '../playlists/smart-summary.ts'
import { smartTrackIds } from '../smart-playlists/smart-tracks.ts'
import { listPlaylistTracks } from '../playlists/playlist-track-operations.ts'
import type { Tree } from './response.ts'
import { parseCoverId } from './cover-urls.ts'
import { itemId, requireUuid } from './item-ids.ts'
import { readSongs } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'

const pageSize = 200
/** Maximum number of listed playlists of other members, because there may be any number of public ones. */
const maxPublic = 500
const maxSongs = 50_000

const getCaller = ({ request, ctx }: SubsonicCall) => ({ request, actor: ctx.actor })

export const getPlaylists: CallHandler = async (call) => {
  const own = await readScope(call, 'own')
  const shared = await readScope(call, 'shared')
  const curated = await readScope(call, 'curated')
  const isShared = new Set(shared.map(({ id }) => id))
  const open = await readScope(call, 'public', maxPublic)
  const others = open.filter(({ id }) => !isShared.has(id))
  const playlist = await describePlaylists(call, [...own, ...shared, ...curated, ...others])
  return { playlists: { playlist } }
}

async function readScope(
  call: SubsonicCall,
  scope: 'own' | 'shared' | 'curated' | 'public',
  most = Infinity,
): Promise<Playlist[]> {
  const found: Playlist[] = []
  let cursor: string | undefined
  do {
    const query = { scope, limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const page = await call.services.callOperation(
      contract.listPlaylists,
      listPlaylists,
      getCaller(call),
      { query },
    )
    found.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && found.length < most)
  return found
}

async function describePlaylists(
  call: SubsonicCall,
  playlists: readonly Playlist[],
): Promise<Tree[]> {
  const { ctx, services } = call
  const ids = playlists.map(({ id }) => id)
  const changes = await readChangeTimes(ctx.db, ids)
  const previews = hasFullAccess(ctx.actor) ? null : await readPreviewSeconds(ctx.db, ids)
  return playlists.map((playlist) => {
    const cover = parseCoverId(playlist.cover_url ?? playlist.mosaic[0] ?? null)
    return {
      id: itemId('playlist', playlist.id),
      name: playlist.title,
      comment: playlist.description ?? undefined,
      // Show the owner's email address only to the owner.
      owner: playlist.is_own
        ? ctx.actor.email
        : playlist.owner_name || services.branding().brand_name,
      public: playlist.is_public || playlist.is_curated,
      songCount: playlist.track_count,
      duration:
        previews && !playlist.is_smart ? (previews.get(playlist.id) ?? 0) : playlist.duration,
      created: playlist.created_at,
      changed: changes.get(playlist.id) ?? playlist.created_at,
      coverArt: cover ? itemId('cover', cover) : undefined,
      readonly: playlist.is_smart || (playlist.role !== 'owner' && playlist.role !== 'editor'),
    }
  })
}

/** Returns when each playlist or its list of tracks last changed. Apps use this time to invalidate their caches. */
async function readChangeTimes(db: Database, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; changed_at: string }>`
    select p.id, greatest(p.updated_at, p.changed_at, s.tracks_changed_at) as changed_at
      from playlists p join playlist_summaries s on s.playlist_id = p.id
     where p.id = any(${ids}::uuid[])`.execute(db.query)
  return new Map(rows.map(({ id, changed_at }) => [id, changed_at]))
}

/** Returns how many seconds of each playlist a free member can play. */
async function readPreviewSeconds(db: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; seconds: number }>`
    select e.playlist_id as id, sum(coalesce(r.duration_seconds, t.duration))::int as seconds
      from playlist_tracks e join tracks t on t.id = e.track_id and ${isAvailable('t')}
      left join renditions r on r.track_id = t.id and r.kind = 'preview'
     where e.playlist_id = any(${ids}::uuid[]) group by e.playlist_id`.execute(db.query)
  return new Map(rows.map(({ id, seconds }) => [id, seconds]))
}

export const getPlaylist: CallHandler = (call) =>
  readPlaylist(call, requireUuid('playlist', call.parameters.required('id')))

async function readPlaylist(call: SubsonicCall, id: string): Promise<Tree> {
  const found = await call.services.callOperation(
    contract.getPlaylist,
    own.getPlaylist,
    getCaller(call),
    { params: { id } },
  )
  const [playlist] = await describePlaylists(call, [found])
  const { actor, db } = call.ctx
  const rules = found.is_smart ? await readRules(db, id) : null
  if (rules) {
    const ids = await smartTrackIds(db, rules, { userId: actor.user_id, now: call.ctx.now() })
    const songs = sql`select id, place from unnest(${ids}::uuid[]) with ordinality as smart (id, place)`
    return { playlist: { ...playlist, entry: await readSongs(call.ctx, songs) } }
  }
  const entry = await readSongs(
    call.ctx,
    sql`select track_id as id, order_index as place from playlist_tracks where playlist_id = ${id}::uuid`,
  )
  return { playlist: { ...playlist, entry } }
}

/** Creates a playlist. With the parameter `playlistId`, replaces the songs of that playlist. */
export const createPlaylist: CallHandler = async (call) => {
  const { parameters } = call
  const track_ids = readSongIds(call, 'songId')
  const given = parameters.text('playlistId')
  if (given) {
    const title = parameters.text('name')
    const id = requireUuid('playlist', given)
    await update(call, id, { ...(title && { title }), track_ids })
    return readPlaylist(call, id)
  }
  const { id } = await call.services.callOperation(
    contract.createPlaylist,
    (ctx, input) => own.createPlaylist(call.services.pictures, ctx, input),
    getCaller(call),
    { body: { title: parameters.required('name') } },
  )
  try {
    if (track_ids.length > 0) await update(call, id, { track_ids })
  } catch (error) {
    // Adding the songs failed, so the response is an error. Delete the new playlist.
    await removePlaylist(call, id)
    throw error
  }
  return readPlaylist(call, id)
}

/** Removes duplicate ids, because a playlist contains each song at most once. */
function readSongIds({ parameters }: SubsonicCall, name: string): string[] {
  const ids = parameters.all(name).slice(0, maxSongs)
  return [...new Set(ids.map((id) => requireUuid('song', id)))]
}

async function update(call: SubsonicCall, id: string, body: object): Promise<void> {
  await call.services.callOperation(
    contract.updatePlaylist,
    (ctx, input) => own.updatePlaylist(call.services.pictures, ctx, input),
    getCaller(call),
    { params: { id }, body },
  )
}

export const updatePlaylist: CallHandler = async (call) => {
  const { parameters } = call
  const id = requireUuid('playlist', parameters.required('playlistId'))
  const title = parameters.text('name')
  const description = parameters.text('comment')
  const is_public = parameters.flag('public')
  const changes: TrackChange[] = [
    ...(await removedSongs(call, id)),
    ...readSongIds(call, 'songIdToAdd').map((track_id) => ({ action: 'add' as const, track_id })),
  ]
  await update(call, id, {
    ...(title && { title }),
    ...(description !== undefined && { description }),
    ...(is_public !== undefined && { is_public }),
    ...(changes.length > 0 && { track_changes: changes }),
  })
  return {}
}

/**
 * Finds the songs to remove. The given indexes start at 0 and refer to the list of songs that the app last received.
 */
async function removedSongs(call: SubsonicCall, id: string): Promise<TrackChange[]> {
  const places = call.parameters.all('songIndexToRemove').filter((text) => /^\d{1,6}$/.test(text))
  const removed = new Map<number, string>()
  for (const place of new Set(places.map(Number))) {
    const query = { offset: place, limit: 1 }
    const page = await call.services.callOperation(
      contract.listPlaylistTracks,
      listPlaylistTracks,
      getCaller(call),
      { params: { id }, query },
    )
    if (page.data[0]) removed.set(place, page.data[0].track.id)
  }
  return [...removed.values()].map((track_id) => ({ action: 'remove', track_id }))
}

export const deletePlaylist: CallHandler = async (call) => {
  await removePlaylist(call, requireUuid('playlist', call.parameters.required('id')))
  return {}
}

async function removePlaylist(call: SubsonicCall, id: string): Promise<void> {
  await call.services.callOperation(contract.deletePlaylist, own.deletePlaylist, getCaller(call), {
    params: { id },
  })
}
