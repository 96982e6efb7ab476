// Creates tracks, releases and pages for tests of public access. Each audio file contains the name of its rendition.
import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { pagePath, type PageKind } from '#contract/public-pages.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import { putRenditions } from '../../../testing/put-renditions.ts'

export const fullAudio = 'the whole song, which nobody gets without an account. '.repeat(20)
export const previewAudio = 'the preview. '.repeat(20)

export interface MadeTrack {
  id: string
  slug: string
}

/** Creates a track that is published and open to everyone, unless `fields` override this. */
export async function makePublicTrack(
  { services }: Pick<TestApp, 'services'>,
  fields: Partial<Insertable<Tables['tracks']>> = {},
): Promise<MadeTrack> {
  const { db } = services
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
  const [full, preview] = [Buffer.from(fullAudio), Buffer.from(previewAudio)]
  await putRenditions(services, id, { standard: full, high: full, preview }, 187)
  return { id, slug: await slugOfItem({ services }, id) }
}

/** Creates a published release with the given tracks on its only disc. */
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

/** Creates one page of each kind, with the given tracks. The first track's artist and category get pages too. */
export async function makePublicPages(
  app: Pick<TestApp, 'services' | 'makePerson'>,
  trackIds: readonly [string, ...string[]],
): Promise<Record<PageKind, { id: string; path: string }>> {
  const { query } = app.services.db
  const { artist, category } = await query
    .selectFrom('tracks')
    .select(['artist', 'category'])
    .where('id', '=', trackIds[0])
    .executeTakeFirstOrThrow()
  const release = await makePublicRelease(app, trackIds)
  const { id: created_by } = await app.makePerson()
  const playlist = await query
    .insertInto('playlists')
    .values({ title: 'For trains', created_by, is_public: true, audience: 'everyone' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entries = trackIds.map((track_id, order_index) => ({
    playlist_id: playlist.id,
    track_id,
    order_index,
  }))
  await query.insertInto('playlist_tracks').values(entries).execute()
  const { id: artistId, slug: artistSlug } = await query
    .selectFrom('artists')
    .select(['id', 'slug'])
    .where('name', '=', artist)
    .executeTakeFirstOrThrow()
  const { id: categoryId } = await query
    .selectFrom('category_metadata')
    .select('id')
    .where('category', '=', category)
    .executeTakeFirstOrThrow()
  return {
    track: { id: trackIds[0], path: pagePath('track', await slugOfItem(app, trackIds[0])) },
    release: { id: release.id, path: pagePath('release', release.slug) },
    artist: { id: artistId, path: pagePath('artist', artistSlug) },
    playlist: { id: playlist.id, path: pagePath('playlist', await slugOfItem(app, playlist.id)) },
    category: { id: categoryId, path: pagePath('category', category ?? '') },
  }
}
