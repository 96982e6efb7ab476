// Writes cover files for the tracks that a visitor or the member sees first. Otherwise the browser would report an
// error for each missing cover.
import { queryAt } from '#server/platform/db/with-client.ts'
import { renderCover } from '#server/platform/pictures/cover-painter.ts'
import { pictureKey } from '#server/features/pictures/store-picture.ts'
import { openDiskStorage } from '#server/platform/storage/disk-storage.ts'
import type { BenchWorld } from './bench-world.ts'
import { benchMember } from './data-set.ts'

/** More tracks than any screen shows at first. */
const shownTracks = 100
const motifs = 4

export async function putCovers(world: BenchWorld): Promise<void> {
  const storage = await openDiskStorage(world.storageFolder, 'bench')
  const pictures = await Promise.all(
    Array.from({ length: motifs }, (_, i) => renderCover({ title: `Cover ${i}`, artist: 'Bench' })),
  )
  for (const [i, id] of (await findShownCovers(world)).entries()) {
    for (const { size, format, bytes } of pictures[i % motifs]!.files) {
      await storage.put(pictureKey('cover', id, size, format), bytes)
    }
  }
}

async function findShownCovers({ database }: BenchWorld): Promise<string[]> {
  const rows = await queryAt<{ cover_id: string }>(
    database.app,
    `select distinct cover_id from (
       (select cover_id from tracks where is_published order by created_at desc, id desc limit $1)
       union all
       (select t.cover_id from plays p
          join profiles who on who.id = p.user_id
          join tracks t on t.id = p.track_id
         where who.email = $2 order by p.started_at desc limit $1)
     ) shown where cover_id is not null`,
    [shownTracks, benchMember],
  )
  return rows.map(({ cover_id }) => cover_id)
}
