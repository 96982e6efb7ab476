// Creates a release at an admin's request or from a proposal.
import { sql, type Insertable } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import { changedBy } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { toAuditedRelease, findAdminRelease } from './admin-release-query.ts'
import { changeSlug, chooseSlug } from './release-slug.ts'
import {
  findSharedArtists,
  saveReleaseArtists,
  saveReleaseTracks,
  type ReleaseArtistInput,
  type ReleaseTrackInput,
} from './save-release-parts.ts'

type Columns = Omit<Insertable<Tables['releases']>, 'kind' | 'slug'>

export interface NewRelease extends Columns {
  /** By default, the kind derived from the number of tracks. */
  kind?: ReleaseKind | undefined
  /** By default, a slug derived from the title. */
  slug?: string | undefined
  /** By default, the artists that all tracks share. */
  artists?: readonly ReleaseArtistInput[] | undefined
  tracks: readonly ReleaseTrackInput[]
}

/** Returns the id of the new release. Throws `track_not_found` or `release_slug_taken`. */
export async function insertRelease(
  ctx: MemberContext,
  trx: Transaction,
  { kind, slug, artists, tracks, ...columns }: NewRelease,
): Promise<string> {
  const { id, slug: chosen } = await trx.query
    .insertInto('releases')
    .values({
      audience: sql<Audience>`(select default_audience from settings where id = 1)`,
      ...columns,
      kind: kind ?? deriveReleaseKind(tracks.length),
      slug: await chooseSlug(trx, columns.title),
      ...changedBy(ctx),
    })
    .returning(['id', 'slug'])
    .executeTakeFirstOrThrow()
  if (slug !== undefined && slug !== chosen) {
    await changeSlug(trx, { id, slug: chosen }, slug)
    // The slug derived from the title was never public, so delete its redirect.
    await trx.query.deleteFrom('release_slugs').where('release_id', '=', id).execute()
  }
  await saveReleaseTracks(trx, id, tracks)
  const ids = tracks.map(({ track_id }) => track_id)
  await saveReleaseArtists(trx, id, artists ?? (await findSharedArtists(trx, ids)))
  await writeAudit(ctx, trx, {
    action: 'create',
    entity: 'release',
    entity_id: id,
    after: toAuditedRelease(await findAdminRelease(trx, id)),
  })
  await notify(trx, 'releases', id)
  return id
}

/** Derives the kind of a release as music stores do: up to three tracks are a single, up to six an EP. */
export function deriveReleaseKind(trackCount: number): ReleaseKind {
  if (trackCount === 0 || trackCount > 6) return 'album'
  return trackCount <= 3 ? 'single' : 'ep'
}
