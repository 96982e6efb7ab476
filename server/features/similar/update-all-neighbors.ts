// Updates the lists of similar tracks. Compares each changed track with the whole catalogue, stores its list, and adds
// the track to other lists or removes it from them. Each group of tracks has its own transaction, so little work is
// lost in a crash.
import type pg from 'pg'
import {
  type ComparedTrack,
  createTrackComparison,
  type TrackComparison,
} from './compare-tracks.ts'
import { readListenedTogether } from './listened-together.ts'
import { removeFromLists, storeLists, type NeighborList } from './store-neighbors.ts'
import { encodeWords, extractWords, type DescribedTrack } from './track-words.ts'

/** Lists older than this are computed again, because plays and the rest of the catalogue have changed. */
export const staleAfterDays = 7
/** Maximum number of tracks in a stored list. */
const listLength = 50
/**
 * Number of most similar tracks to compute. More than a list contains, because a track may belong to the lists of
 * tracks that are not in its own list.
 */
const comparedLength = 200
const pageSize = 2000
const groupSize = 50
/** Number of old lists that one job computes again, in addition to those of changed tracks. */
const maxOldLists = 200

interface Changed {
  track_id: string
  /** Time of the change. As text, because a Date has no microseconds. */
  changed_at: string
}

/** Updates all lists that need it. Returns the number of compared tracks. */
export async function updateAllNeighbors(client: pg.ClientBase): Promise<number> {
  await client.query(
    `insert into neighbour_updates (track_id)
     select track_id from track_neighbours where computed_at < now() - make_interval(days => $1)
      order by computed_at limit $2
     on conflict do nothing`,
    [staleAfterDays, maxOldLists],
  )
  const { rows: changed } = await client.query<Changed>(
    'select track_id, changed_at::text as changed_at from neighbour_updates order by changed_at, track_id',
  )
  if (changed.length === 0) return 0
  await storeWords(client, changed)
  const comparison = createTrackComparison(await readCatalogue(client))
  await removeFromLists(
    client,
    changed.map(({ track_id }) => track_id),
  )
  const waiting = new Set(changed.map(({ track_id }) => track_id))
  for (let at = 0; at < changed.length; at += groupSize) {
    const group = changed.slice(at, at + groupSize)
    await updateGroup(client, comparison, group, waiting)
    for (const { track_id } of group) waiting.delete(track_id)
  }
  return changed.length
}

async function updateGroup(
  client: pg.ClientBase,
  comparison: TrackComparison,
  group: readonly Changed[],
  waiting: ReadonlySet<string>,
): Promise<void> {
  const ids = group.map(({ track_id }) => track_id)
  const published = ids.filter((id) => comparison.has(id))
  const listened = await readListenedTogether(client, published)
  const lists = published.map((id): NeighborList => {
    const compared = comparison.nearest(id, comparedLength, listened.get(id))
    return {
      id,
      neighbors: comparison.collapse(compared, listLength),
      // Leave out tracks that are compared in this group or later: their own comparison will find this track.
      gaining: compared.filter((neighbor) => !waiting.has(neighbor.id)),
    }
  })
  await client.query('begin')
  try {
    await storeLists(client, lists, listLength)
    // Unmark the compared tracks. A track that changed again since then stays marked. Skipping locked rows avoids
    // deadlocks with track edits.
    await client.query(
      `delete from neighbour_updates where track_id in (
         select u.track_id from neighbour_updates u
           join unnest($1::uuid[], $2::timestamptz[]) done (track_id, changed_at)
             on done.track_id = u.track_id and done.changed_at = u.changed_at
            for update of u skip locked)`,
      [ids, group.map(({ changed_at }) => changed_at)],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Stores the words of changed tracks. For unpublished tracks, deletes the words and the list. */
async function storeWords(client: pg.ClientBase, changed: readonly Changed[]): Promise<void> {
  for (let at = 0; at < changed.length; at += pageSize) {
    const ids = changed.slice(at, at + pageSize).map(({ track_id }) => track_id)
    await client.query(
      `with hidden as (select id from tracks where id = any($1) and not is_published),
            words as (delete from track_words where track_id in (select id from hidden))
       delete from track_neighbours where track_id in (select id from hidden)`,
      [ids],
    )
    const { rows } = await client.query<DescribedTrack & { id: string }>(
      `select id, genre, categories_of(category, more_categories) as categories, moods, tags, description,
              left(lyrics, 8000) as lyrics
         from tracks where id = any($1) and is_published`,
      [ids],
    )
    await client.query(
      `insert into track_words (track_id, words)
       select w.track_id, w.words from unnest($1::uuid[], $2::bytea[]) w (track_id, words)
        where exists (select from tracks where id = w.track_id)
       on conflict (track_id) do update set words = excluded.words`,
      [rows.map(({ id }) => id), rows.map((row) => encodeWords(extractWords(row)))],
    )
  }
}

/** Reads the catalogue in pages, so that the driver never holds the whole result as text. */
async function readCatalogue(client: pg.ClientBase): Promise<ComparedTrack[]> {
  const tracks: ComparedTrack[] = []
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await client.query<ComparedTrack>(
      `select t.id, t.title, t.artist, w.words, s.vector, s.tempo, s.key, s.is_minor
         from tracks t
         left join track_words w on w.track_id = t.id
         left join track_sounds s on s.track_id = t.id
        where t.is_published and t.id > $1
        order by t.id limit $2`,
      [after, pageSize],
    )
    tracks.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return tracks
    after = last.id
  }
}
