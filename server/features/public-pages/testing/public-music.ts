// Tracks for tests of public access, with files that contain the name of their rendition.
import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { TestApp } from '../../../testing/test-app.ts'

export const fullAudio = 'the whole song, which nobody gets without an account. '.repeat(20)
export const previewAudio = 'the preview. '.repeat(20)

export interface MadeTrack {
  id: string
  slug: string
}

/** Published and for everyone, unless `fields` override it. */
export async function makePublicTrack(
  { services }: Pick<TestApp, 'services'>,
  fields: Partial<Insertable<Tables['tracks']>> = {},
): Promise<MadeTrack> {
  const { db, storage } = services
  const { id } = await db.query
    .insertInto('tracks')
    .values({
      title: 'Dusk',
      artist: 'Ida Sorrel',
      duration: 187,
      is_published: true,
      audience: 'everyone',
      processing_status: 'ready',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const kind of ['standard', 'high', 'preview'] as const) {
    const bytes = Buffer.from(kind === 'preview' ? previewAudio : fullAudio)
    const storage_key = `audio/${id}/${kind}.m4a`
    const { etag } = await storage.put(storage_key, bytes)
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: bytes.length,
        duration_seconds: kind === 'preview' ? 45 : 187,
        etag,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
  return { id, slug: await slugOfItem({ services }, id) }
}

/** Published, with the tracks on its only disc. */
export async function makePublicRelease(
  { services: { db } }: Pick<TestApp, 'services'>,
  trackIds: readonly string[],
  audience: 'everyone' | 'members' = 'everyone',
): Promise<MadeTrack> {
  const slug = `release-${randomUUID()}`
  const { id } = await db.query
    .insertInto('releases')
    .values({ kind: 'album', title: 'Rooms', slug, is_published: true, audience })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = trackIds.map((track_id, at) => ({ release_id: id, track_id, position: at + 1 }))
  await db.query.insertInto('release_tracks').values(values).execute()
  return { id, slug }
}

export async function slugOfItem(
  { services: { db } }: Pick<TestApp, 'services'>,
  id: string,
): Promise<string> {
  const { slug } = await db.query
    .selectFrom('page_slugs')
    .select('slug')
    .where('item_id', '=', id)
    .where('is_current', '=', true)
    .executeTakeFirstOrThrow()
  return slug
}
