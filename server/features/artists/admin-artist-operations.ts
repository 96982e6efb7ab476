// Artist operations for admins. Triggers copy a changed name into the tracks and keep the former name and slug.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-artists.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import { matchesFolded } from '../../platform/db/search-pattern.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { selectAdminArtists, findAdminArtist, trackCount } from './artist-query.ts'
import {
  toAuditedArtist,
  findCreditsByArtists,
  lockWithTracks,
  notifyOfArtists,
  retag,
  translateArtistConstraints,
} from './artist-rows.ts'

export interface ArtistServices {
  jobs: JobQueue
  pictures: PictureServices
}

export async function listAdminArtists(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listAdminArtists>,
): Promise<Output<typeof contract.listAdminArtists>> {
  const filtered = ctx.db.query
    .selectFrom('artists as a')
    .where(visibleToStaff(ctx.actor, 'a.owner_id'))
    .$if(Boolean(query.q?.trim()), (artists) =>
      artists.where(matchesFolded('a.search_folded', query.q ?? '')),
    )
  const { total } = await filtered
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const sortKey = {
    name: sql`lower(coalesce(a.sort_name, a.name))`,
    track_count: trackCount,
    created_at: sql`a.created_at`,
  }[query.sort]
  const { limit, offset, direction } = computePageWindow(query, total, query.direction)
  const pageIds = filtered
    .select('a.id')
    .orderBy(sortKey, direction)
    .orderBy('a.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await selectAdminArtists(ctx.db)
    .where('a.id', 'in', pageIds)
    .orderBy(sortKey, query.direction)
    .orderBy('a.id', query.direction)
    .execute()
  return { data, pagination: paginate(query, total) }
}

export function getAdminArtist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getAdminArtist>,
): Promise<Output<typeof contract.getAdminArtist>> {
  return findAdminArtist(ctx.db, params.id)
}

export async function createArtist(
  { pictures }: ArtistServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createArtist>,
): Promise<Output<typeof contract.createArtist>> {
  const picture = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      if (body.slug) await requireFreeSlug(trx, body.slug, null)
      const { id } = await trx.query
        .insertInto('artists')
        .values({
          name: body.name,
          slug: body.slug ?? sql<string>`free_artist_slug(${body.name})`,
          sort_name: body.sort_name || null,
          biography: body.biography || null,
          links: JSON.stringify(body.links ?? []),
          has_page: body.has_page ?? true,
          picture_id: (await picture?.claim(trx)) ?? null,
          ...changedBy(ctx),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const artist = await findAdminArtist(trx, id)
      await writeAudit(ctx, trx, {
        action: 'create',
        entity: 'artist',
        entity_id: id,
        after: toAuditedArtist(artist),
      })
      await notifyOfArtists(trx)
      return artist
    }),
  )
}

export async function updateArtist(
  { jobs, pictures }: ArtistServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateArtist>,
): Promise<Output<typeof contract.updateArtist>> {
  const picture = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      // Lock tracks before artists, as all code does. Only a rename changes tracks.
      if (body.name !== undefined) await lockWithTracks(trx, [params.id])
      const row = await lockArtist(trx, params.id)
      const before = await findAdminArtist(trx, params.id)
      await refuseStale(trx, row, body.version, async () => before)
      if (body.slug) await requireFreeSlug(trx, body.slug, params.id)
      const { name, slug, sort_name, biography, links, has_page } = body
      const picture_id =
        body.cover_path === undefined ? undefined : ((await picture?.claim(trx)) ?? null)
      await trx.query
        .updateTable('artists')
        .set({
          ...(name !== undefined && { name }),
          ...(slug !== undefined && { slug }),
          ...(sort_name !== undefined && { sort_name: sort_name || null }),
          ...(biography !== undefined && { biography: biography || null }),
          ...(links !== undefined && { links: JSON.stringify(links) }),
          ...(has_page !== undefined && { has_page }),
          ...(picture_id !== undefined && { picture_id }),
          ...changedBy(ctx),
          updated_at: ctx.now().toISOString(),
        })
        .where('id', '=', params.id)
        .execute()
      if (picture_id !== undefined && row.picture_id) await deletePicture(trx, row.picture_id)
      if (name !== undefined && name !== before.name) {
        const credits = await findCreditsByArtists(trx, [params.id])
        await retag({ jobs }, trx, [...new Set(credits.map(({ track_id }) => track_id))])
      }
      const artist = await findAdminArtist(trx, params.id)
      await writeAudit(ctx, trx, {
        action: 'update',
        entity: 'artist',
        entity_id: params.id,
        before: toAuditedArtist(before),
        after: toAuditedArtist(artist),
      })
      await notifyOfArtists(trx)
      return artist
    }),
  )
}

/** Locks an artist's row until the transaction ends. Throws `artist_not_found`. */
async function lockArtist(trx: Transaction, id: string) {
  const row = await trx.query
    .selectFrom('artists')
    .select(['picture_id', 'version', 'changed_by', 'changed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('artist_not_found')
  return row
}

/** Throws if another artist has or had the slug: a former slug redirects to its artist permanently. */
async function requireFreeSlug(
  trx: Transaction,
  slug: string,
  ownId: string | null,
): Promise<void> {
  const former = await trx.query
    .selectFrom('artist_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where(sql<boolean>`artist_id is distinct from ${ownId}::uuid`)
    .executeTakeFirst()
  if (former) throw new AppError('artist_slug_taken')
}
