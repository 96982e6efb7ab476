// Reads the current tracks of a smart playlist for its reader.
import { sql } from 'kysely'
import { track } from '#contract/tracks.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import type { Handle } from '../../platform/db/database.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { selectTracks } from '../tracks/track-query.ts'
import { compileRules, type Reader } from './compile-rules.ts'

/** The ids of the matching tracks in order, at most `rules.limit`. */
export async function smartTrackIds(
  handle: Handle,
  rules: SmartRules,
  reader: Reader,
): Promise<string[]> {
  const { rows } = await compileRules(rules, reader).execute(handle.query)
  return rows.map(({ id }) => id)
}

/** Selects published tracks in the order of `ids`, as JSON. */
export function readSmartTracks(handle: Handle, userId: string, ids: readonly string[]) {
  const chosen = selectTracks(handle, userId)
    .where('t.is_published', '=', true)
    .where('t.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy(sql`array_position(${ids}::uuid[], t.id)`)
  return readAsJson(handle, track, chosen, ['id'])
}

export interface SmartSummary {
  track_count: number
  /** Duration in whole seconds. */
  duration: number
  /** The covers of the first four tracks that have one. */
  cover_ids: string[]
}

export async function summarizeSmart(
  handle: Handle,
  rules: SmartRules,
  reader: Reader,
): Promise<SmartSummary> {
  const { rows } = await sql<SmartSummary>`
    with chosen as (
      select c.id, row_number() over () as place from (${compileRules(rules, reader)}) c
    )
    select count(*) as track_count, coalesce(sum(t.duration), 0) as duration,
           coalesce((array_agg(t.cover_id order by c.place)
                     filter (where t.cover_id is not null))[1:4]::text[], '{}') as cover_ids
      from chosen c join tracks t on t.id = c.id`.execute(handle.query)
  return rows[0] ?? { track_count: 0, duration: 0, cover_ids: [] }
}
