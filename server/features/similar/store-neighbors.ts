// Stores and updates the lists of similar tracks.
import type pg from 'pg'
import type { Neighbor } from './compare-tracks.ts'

export interface NeighborList {
  id: string
  neighbors: readonly Neighbor[]
  /** Tracks to whose lists the compared track may be added. */
  gaining: readonly Neighbor[]
}

/** A list that becomes shorter than this is computed again. */
const shortLength = 25
/** Number of changed tracks that one query searches for in all lists. */
const searchedTracks = 100
/** If more tracks have changed, they are not removed from lists: most lists are computed again anyway. */
const maxDropped = 2000

export async function storeLists(
  client: pg.ClientBase,
  lists: readonly NeighborList[],
  listLength: number,
): Promise<void> {
  await client.query(
    `insert into track_neighbours as n (track_id, neighbour_ids, scores, signals, computed_at)
     select l.id, l.ids::uuid[], l.scores::real[], l.signals::smallint[], now()
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) l (id, ids, scores, signals)
      where exists (select from tracks where id = l.id)
     on conflict (track_id) do update
        set neighbour_ids = excluded.neighbour_ids, scores = excluded.scores,
            signals = excluded.signals, computed_at = excluded.computed_at`,
    [
      lists.map(({ id }) => id),
      lists.map(({ neighbors }) => `{${neighbors.map(({ id }) => id).join()}}`),
      lists.map(({ neighbors }) => `{${neighbors.map(({ score }) => score).join()}}`),
      lists.map(({ neighbors }) => `{${neighbors.map(({ signal }) => signal).join()}}`),
    ],
  )
  await addToLists(client, lists, listLength)
}

/** Adds a track to each list whose last track is less similar. */
async function addToLists(
  client: pg.ClientBase,
  lists: readonly NeighborList[],
  listLength: number,
): Promise<void> {
  const pairs = lists.flatMap(({ id, gaining }) =>
    gaining.map((owner) => ({ ...owner, added: id })),
  )
  await client.query(
    `with gain as (
       select g.* from unnest($1::uuid[], $2::uuid[], $3::real[], $4::smallint[]) g (owner_id, id, score, signal)
         join track_neighbours n on n.track_id = g.owner_id
        where cardinality(n.scores) < $5 or g.score > n.scores[$5]
     ), merged as (
       select * from gain
       union all
       select n.track_id, u.id, u.score, u.signal
         from track_neighbours n
        cross join unnest(n.neighbour_ids, n.scores, n.signals) u (id, score, signal)
        where n.track_id in (select owner_id from gain)
          and not exists (select from gain g where g.owner_id = n.track_id and g.id = u.id)
     ), ranked as (
       select *, row_number() over (partition by owner_id order by score desc, id) as place from merged
     ), lists as (
       select owner_id, array_agg(id order by place) as ids, array_agg(score order by place) as scores,
              array_agg(signal order by place) as signals
         from ranked where place <= $5 group by owner_id
     )
     update track_neighbours n set neighbour_ids = l.ids, scores = l.scores, signals = l.signals
       from lists l where l.owner_id = n.track_id`,
    [
      pairs.map(({ id }) => id),
      pairs.map(({ added }) => added),
      pairs.map(({ score }) => score),
      pairs.map(({ signal }) => signal),
      listLength,
    ],
  )
}

/**
 * Removes changed tracks from all lists, because their scores are stale or they are no longer published. Lists that
 * become too short are marked to be computed again.
 */
export async function removeFromLists(
  client: pg.ClientBase,
  changedIds: readonly string[],
): Promise<void> {
  // Skip new tracks, because no list contains them yet.
  const { rows } = await client.query<{ id: string }>(
    `select id from unnest($1::uuid[]) changed (id)
      where exists (select from track_neighbours where track_id = id)
         or exists (select from tracks where tracks.id = changed.id and not is_published)`,
    [changedIds],
  )
  if (rows.length > maxDropped) return
  for (let at = 0; at < rows.length; at += searchedTracks) {
    const ids = rows.slice(at, at + searchedTracks).map(({ id }) => id)
    await client.query(
      `with kept as (
         select n.track_id, cardinality(n.neighbour_ids) as length_before,
                coalesce(array_agg(u.id order by u.place) filter (where u.id <> all ($1)), '{}') as ids,
                coalesce(array_agg(u.score order by u.place) filter (where u.id <> all ($1)), '{}') as scores,
                coalesce(array_agg(u.signal order by u.place) filter (where u.id <> all ($1)), '{}') as signals
           from track_neighbours n
          cross join unnest(n.neighbour_ids, n.scores, n.signals) with ordinality u (id, score, signal, place)
          where n.neighbour_ids && $1::uuid[]
          group by n.track_id
       ), shortened as (
         update track_neighbours n set neighbour_ids = k.ids, scores = k.scores, signals = k.signals
           from kept k where k.track_id = n.track_id
       )
       insert into neighbour_updates (track_id)
       select track_id from kept where cardinality(ids) < $2 and length_before >= $2
       on conflict do nothing`,
      [ids, shortLength],
    )
  }
}
