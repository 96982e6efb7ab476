// Songs for tests that try to get full recordings. The files are random bytes, so that any part of one can be found
// in a response.
import { randomBytes } from 'node:crypto'
import type { Audience } from '#contract/fields/availability.ts'
import { putRenditions, type RenditionKind } from './put-renditions.ts'
import type { TestApp } from './test-app.ts'

export const songBytes = 4096
const pieceBytes = 16

export interface FullSong {
  id: string
  slug: string
  /** The files of the standard and the high-quality rendition. */
  whole: Buffer[]
  preview: Buffer | null
}

export async function createFullSong(
  { services }: Pick<TestApp, 'services'>,
  audience: Audience,
  kinds: readonly RenditionKind[],
  isPublished = true,
): Promise<FullSong> {
  const { db } = services
  const { id } = await db.query
    .insertInto('tracks')
    .values({
      title: 'A',
      artist: 'B',
      is_published: isPublished,
      processing_status: 'ready',
      audience,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const files: Partial<Record<RenditionKind, Buffer>> = {}
  for (const kind of kinds) files[kind] = randomBytes(songBytes)
  await putRenditions(services, id, files, 200)
  const { slug } = await db.query
    .selectFrom('page_slugs')
    .select('slug')
    .where('item_id', '=', id)
    .executeTakeFirstOrThrow()
  const { standard, high, preview } = files
  const whole = [standard, high].filter((file) => file !== undefined)
  return { id, slug, whole, preview: preview ?? null }
}

/** Whether the response contains a part of a full song. */
export function containsPartOf(songs: readonly FullSong[], body: Buffer): boolean {
  return songs.some(({ whole }) =>
    whole.some((file) => {
      for (let at = 0; at < songBytes; at += pieceBytes) {
        if (body.includes(file.subarray(at, at + pieceBytes))) return true
      }
      return false
    }),
  )
}
