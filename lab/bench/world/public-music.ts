// Creates one public page of each kind, with tracks that are uploaded and processed like any others.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageKinds, pagePath, type PageKind } from '#contract/public-pages.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import type { BenchWorld } from './bench-world.ts'
import { deleteTrack, importRecording, waitUntilPublished } from './import-recording.ts'
import { putCovers } from './covers-on-disk.ts'
import { benchAdmin } from './data-set.ts'
import { makeRecording } from './make-recording.ts'

const trackSeconds = 60
const titles = ['Paper Lanterns', 'Glass Harbour', 'Slow Cartography', 'Night Ferry', 'Low Tide']

export interface PublicMusic {
  paths: Record<PageKind, string>
  remove: () => Promise<void>
}

export async function putPublicMusic(world: BenchWorld): Promise<PublicMusic> {
  const ids = await importTracks(world)
  const one = async (sql: string, values: unknown[]) =>
    (await queryAt<{ value: string }>(world.database.owner, sql, values))[0]!.value
  const release = await one(
    `insert into releases (kind, title, artist, slug, is_published, audience, cover_id)
     select 'album', 'Rooms', artist, 'rooms-' || id, true, 'everyone', cover_id from tracks where id = $1
     returning id as value`,
    [ids[0]],
  )
  const playlist = await one(
    `insert into playlists (title, description, is_curated, is_visible, is_public, audience, created_by)
     select 'For trains', 'Songs for a window seat.', true, true, true, 'everyone', id from profiles where email = $1
     returning id as value`,
    [benchAdmin],
  )
  for (const [at, track] of ids.entries()) {
    await one(
      `with listed as (insert into playlist_tracks (playlist_id, track_id, order_index) values ($1, $3, $4))
       insert into release_tracks (release_id, track_id, position) values ($2, $3, $4 + 1) returning track_id as value`,
      [playlist, release, track, at],
    )
  }
  const slugOf = (id: string | undefined) =>
    one('select slug as value from page_slugs where item_id = $1 and is_current', [id])
  const slugs: Record<PageKind, string> = {
    track: await slugOf(ids[0]),
    release: await one('select slug as value from releases where id = $1', [release]),
    artist: await one(
      `select a.slug as value from artists a join track_credits c on c.artist_id = a.id where c.track_id = $1`,
      [ids[0]],
    ),
    playlist: await slugOf(playlist),
    category: await one('select category as value from tracks where id = $1', [ids[0]]),
  }
  return {
    paths: Object.fromEntries(
      pageKinds.map((kind) => [kind, pagePath(kind, slugs[kind])]),
    ) as PublicMusic['paths'],
    async remove() {
      await queryAt(world.database.owner, 'delete from releases where id = $1', [release])
      await queryAt(world.database.owner, 'delete from playlists where id = $1', [playlist])
      for (const id of ids) await deleteTrack(world, id)
    },
  }
}

async function importTracks(world: BenchWorld): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-public-'))
  const ids: string[] = []
  try {
    for (const [at, title] of titles.entries()) {
      const file = join(folder, `${at}.wav`)
      await makeRecording(file, trackSeconds, at + 1)
      ids.push(
        await importRecording(world, file, { title, category: 'mood-1', audience: 'everyone' }),
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  for (const id of ids) await waitUntilPublished(world, id)
  await queryAt(
    world.database.owner,
    `update tracks t set cover_id = c.id
       from (select id, row_number() over (order by id) as at from images where kind = 'cover') c
      where t.id = any($1::uuid[]) and c.at = array_position($1::uuid[], t.id)`,
    [ids],
  )
  await putCovers(world)
  return ids
}
