// Songs for tests that look for a way to whole recordings. The files are random bytes, so that a part of one is recognized
// in any response.
import { randomBytes } from 'node:crypto'
import type { Audience } from '#contract/fields/availability.ts'
import type { TestApp } from './test-app.ts'

export const songBytes = 4096
const pieceBytes = 16

export interface WholeSong {
  id: string
  slug: string
  /** The standard and the high quality. */
  whole: Buffer[]
  preview: Buffer | null
}

type Kind = 'standard' | 'high' | 'preview'

export async function makeWholeSong(
  { services: { db, storage } }: Pick<TestApp, 'services'>,
  audience: Audience,
  kinds: readonly Kind[],
  isPublished = true,
): Promise<WholeSong> {
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
  const files = new Map<Kind, Buffer>()
  for (const kind of kinds) {
    const file = randomBytes(songBytes)
    files.set(kind, file)
    const storage_key = `audio/${id}/${kind}.m4a`
    const { etag } = await storage.put(storage_key, file)
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: songBytes,
        duration_seconds: kind === 'preview' ? 45 : 200,
        etag,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
  const whole = (['standard', 'high'] as const).map((kind) => files.get(kind)!)
  const { slug } = await db.query
    .selectFrom('page_slugs')
    .select('slug')
    .where('item_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, slug, whole, preview: files.get('preview') ?? null }
}

/** Whether the response contains a part of a whole song. */
export function hasPartOf(songs: readonly WholeSong[], body: Buffer): boolean {
  return songs.some(({ whole }) =>
    whole.some((file) => {
      for (let at = 0; at < songBytes; at += pieceBytes) {
        if (body.includes(file.subarray(at, at + pieceBytes))) return true
      }
      return false
    }),
  )
}
