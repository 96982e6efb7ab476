// Finds a path of similar tracks from one track to another. Searches the lists of similar tracks from both ends until
// the searches meet.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/radio.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { requireFeature } from '../feature-switches/feature-switches.ts'
import { readTracksInOrder } from './radio-operations.ts'

const maxSteps = 8
/** Only the most similar tracks of each step are searched further, which bounds the work in a large catalogue. */
const maxExpanded = 100

interface Side {
  /** Maps each found track to the track through which it was found. */
  from: Map<string, string | null>
  open: string[]
}

export async function findTrackPath(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.findTrackPath>,
): Promise<JsonText<Output<typeof contract.findTrackPath>>> {
  const ids = await findPath(ctx, params.id, query.to)
  const tracks = await readTracksInOrder(ctx, ids)
  return serializeResponse<typeof contract.findTrackPath>({ data: tracks.map(({ json }) => json) })
}

/**
 * Returns the track ids of a path. Empty if there is no path. Throws `track_not_found` if one of the ends is not
 * published, and `feature_closed` if the feature is not open to the member.
 */
export async function findPath(ctx: MemberContext, start: string, end: string): Promise<string[]> {
  await requireFeature(ctx, 'song_path')
  const ends = [...new Set([start, end])]
  const endTracks = await readTracksInOrder(ctx, ends)
  if (endTracks.length < ends.length) throw new AppError('track_not_found')
  return ends.length === 1 ? ends : search(ctx, start, end)
}

/** The similarity of each track of a path to the previous one, from 0 to 1. It is 1 for the first track. */
export async function readSteps({ db }: MemberContext, path: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ place: number; score: number }>`
    select step.place::int, max(u.score) as score
      from unnest(${path.slice(1)}::uuid[], ${path.slice(0, -1)}::uuid[]) with ordinality step (id, before, place)
      join track_neighbours n on n.track_id in (step.id, step.before)
     cross join unnest(n.neighbour_ids, n.scores) u (id, score)
     where u.id in (step.id, step.before) group by step.place`.execute(db.query)
  const scores = new Map(rows.map(({ place, score }) => [place, score]))
  return path.map((_, place) => (place === 0 ? 1 : (scores.get(place) ?? 0)))
}

async function search(ctx: MemberContext, start: string, end: string): Promise<string[]> {
  const sideOf = (id: string): Side => ({ from: new Map([[id, null]]), open: [id] })
  const [first, second] = [sideOf(start), sideOf(end)]
  for (let step = 0; step < maxSteps; step += 1) {
    const side = first.open.length <= second.open.length ? first : second
    const other = side === first ? second : first
    const meeting = await expand(ctx, side, other)
    if (meeting !== null) {
      return [...tracePath(first, meeting).toReversed(), ...tracePath(second, meeting).slice(1)]
    }
    if (side.open.length === 0) return []
  }
  return []
}

/** Searches one step further from one end. Returns a track that both searches have found, or null. */
async function expand(ctx: MemberContext, side: Side, other: Side): Promise<string | null> {
  const { rows } = await sql<{ id: string; parent: string }>`
    select u.id, n.track_id as parent
      from track_neighbours n
     cross join unnest(n.neighbour_ids, n.scores) u (id, score)
      join tracks t on t.id = u.id and t.is_published
     where n.track_id = any(${side.open})
     order by u.score desc, u.id`.execute(ctx.db.query)
  side.open = []
  let meeting: string | null = null
  for (const { id, parent } of rows) {
    if (side.from.has(id)) continue
    side.from.set(id, parent)
    if (side.open.length < maxExpanded) side.open.push(id)
    if (other.from.has(id)) meeting ??= id
  }
  return meeting
}

/** The path from the track where the searches met to this search's end. */
function tracePath({ from }: Side, meeting: string): string[] {
  const path: string[] = []
  for (let id: string | null = meeting; id !== null; id = from.get(id) ?? null) path.push(id)
  return path
}
