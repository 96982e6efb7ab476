// The track count, duration and covers of a smart playlist. They are computed when it is opened. Lists show the values
// that were computed when the owner last opened it.
import { sql } from 'kysely'
import type { Playlist } from '#contract/playlists.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { summarizeSmart } from '../smart-playlists/smart-tracks.ts'

export async function summarizeNow(
  ctx: MemberContext,
  handle: Handle,
  playlist: Playlist,
): Promise<Playlist> {
  const rules = playlist.rules ?? (await readRules(handle, playlist.id))
  if (!rules) return playlist
  const reader = { userId: ctx.actor.user_id, now: ctx.now() }
  const { track_count, duration, cover_ids } = await summarizeSmart(handle, rules, reader)
  if (playlist.is_own) {
    await sql`
      update playlist_summaries
         set track_count = ${track_count}, duration = ${duration}, cover_ids = ${cover_ids}::uuid[],
             tracks_changed_at = now()
       where playlist_id = ${playlist.id}
         and (track_count, duration, cover_ids) is distinct from (${track_count}, ${duration}, ${cover_ids}::uuid[])`.execute(
      handle.query,
    )
  }
  const mosaic = cover_ids.map((id) => `/media/covers/${id}/384.webp`)
  return { ...playlist, track_count, duration, mosaic }
}

export async function readRules(handle: Handle, id: string): Promise<SmartRules | null> {
  const found = await handle.query
    .selectFrom('playlists')
    .select('rules')
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.rules ?? null
}
