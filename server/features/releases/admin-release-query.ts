// Reads a release as admins see it, or locks its row.
import { sql, type Selectable } from 'kysely'
import type { AdminRelease, AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { selectPremiumMarks } from '../availability/availability.ts'
import { coverUrl } from '../tracks/track-query.ts'
import { selectAdminReleases } from './release-query.ts'

/** Reads one release with the fields that admins see. Throws `release_not_found`. */
export async function findAdminRelease(handle: Handle, id: string): Promise<AdminReleaseDetail> {
  const release = await selectAdminReleases(handle)
    .select([
      'r.description',
      sql<boolean>`r.cover_id is not null`.as('has_own_cover'),
      sql<number | null>`album_loudness_lufs(r.id)`.as('album_loudness_lufs'),
    ])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (!release) throw new AppError('release_not_found')
  return { ...release, tracks: await readTracks(handle, id) }
}

function readTracks(handle: Handle, id: string): Promise<AdminReleaseDetail['tracks']> {
  return handle.query
    .selectFrom('release_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      't.id',
      't.title',
      't.artist',
      't.duration',
      't.explicit',
      't.ai_disclosure',
      't.loudness_lufs',
      't.true_peak_dbtp',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      't.is_published',
      't.processing_status',
      't.release_at',
      't.release_zone',
      't.early_access_days',
      't.audience',
      ...selectPremiumMarks('t'),
      'e.disc',
      sql<number>`(row_number() over (partition by e.disc order by e.position))::int`.as(
        'position',
      ),
    ])
    .where('e.release_id', '=', id)
    .where('t.deleted_at', 'is', null)
    .orderBy('e.disc')
    .orderBy('e.position')
    .execute()
}

/** Locks a release's row until the transaction ends. Throws `release_not_found`. */
export async function lockRelease(
  trx: Transaction,
  id: string,
): Promise<Selectable<Tables['releases']>> {
  const row = await trx.query
    .selectFrom('releases')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('release_not_found')
  return row
}

/** The fields of a release that are recorded in audit entries about it. */
export function toAuditedRelease(release: AdminRelease) {
  const { kind, title, slug, artist, release_date, label, upc, is_published, track_count } = release
  const { release_at, early_access_days, audience } = release
  const availability = { release_at, early_access_days, audience }
  return {
    kind,
    title,
    slug,
    artist,
    release_date,
    label,
    upc,
    is_published,
    track_count,
    ...availability,
  }
}
