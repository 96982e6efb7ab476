// Release operations for admins. Each change writes its audit entry and sends its event in the same transaction.
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { computeAvailabilityChanges, noAvailability } from '../availability/change-availability.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { toAuditedRelease, findAdminRelease, lockRelease } from './admin-release-query.ts'
import { insertRelease } from './insert-release.ts'
import { applyFirstRule, applyRule, lockReleaseTracks, toRule } from './release-rule.ts'
import { changeSlug } from './release-slug.ts'
import { saveReleaseArtists, saveReleaseTracks } from './save-release-parts.ts'

type Update = ParsedInput<typeof contract.updateRelease>['body']

/** Reads one release with the fields that admins see. */
export function getAdminRelease(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getAdminRelease>,
): Promise<Output<typeof contract.getAdminRelease>> {
  return findAdminRelease(ctx.db, params.id)
}

export async function createRelease(
  pictures: PictureServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createRelease>,
): Promise<AdminReleaseDetail> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const id = await insertRelease(ctx, trx, {
      ...editableFields(body),
      ...computeAvailabilityChanges(noAvailability, body, {
        wasPublished: false,
        isPublished: false,
        now: ctx.now(),
      }),
      title: body.title,
      kind: body.kind,
      slug: body.slug,
      cover_id: (await cover?.claim(trx)) ?? null,
      artists: body.artists,
      tracks: body.tracks ?? [],
    })
    return findAdminRelease(trx, id)
  })
}

/**
 * Updates the given fields of a release. `tracks` and `artists` replace the whole lists. Throws `release_published` if
 * a published release gets a release date.
 */
export async function updateRelease(
  pictures: PictureServices,
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.updateRelease>,
): Promise<AdminReleaseDetail> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const row = await lockRelease(trx, id)
    const before = await findAdminRelease(trx, id)
    await refuseStale(trx, row, body.version, async () => before)
    if (body.slug !== undefined) await changeSlug(trx, row, body.slug)
    if (body.artists !== undefined) await saveReleaseArtists(trx, id, body.artists)
    const added = body.tracks ? await saveReleaseTracks(trx, id, body.tracks) : null
    const availability = computeEditedAvailability(ctx, row, body)
    await trx.query
      .updateTable('releases')
      .set({
        ...editableFields(body),
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(body.kind === undefined ? {} : { kind: body.kind }),
        ...(body.cover_path === undefined ? {} : { cover_id: (await cover?.claim(trx)) ?? null }),
        ...availability,
        ...(added && { tracks_changed_at: ctx.now().toISOString() }),
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', id)
      .execute()
    if (row.is_published)
      await applyRuleToTracks(ctx, trx, row, { ...row, ...availability }, added ?? [])
    if (body.cover_path !== undefined && row.cover_id) await deletePicture(trx, row.cover_id)
    const after = await findAdminRelease(trx, id)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'release',
      entity_id: id,
      before: toAuditedRelease(before),
      after: toAuditedRelease(after),
    })
    await notify(trx, 'releases', id)
    return after
  })
}

type ReleaseRow = Awaited<ReturnType<typeof lockRelease>>

function computeEditedAvailability(ctx: MemberContext, row: ReleaseRow, body: Update) {
  const { is_published } = row
  return computeAvailabilityChanges(row, body, {
    wasPublished: is_published,
    isPublished: is_published,
    now: ctx.now(),
  })
}

/**
 * Applies a release's availability rule to tracks that had the release's previous rule, and to new tracks that have no
 * rule of their own.
 */
async function applyRuleToTracks(
  ctx: MemberContext,
  trx: Transaction,
  before: ReleaseRow,
  after: ReleaseRow,
  added: readonly string[],
): Promise<void> {
  const change = { to: toRule(after), zone: after.release_zone, now: ctx.now() }
  await lockReleaseTracks(trx, before.id)
  await applyRule(trx, ctx, before.id, { from: toRule(before), ...change })
  await applyFirstRule(trx, ctx, before.id, { ...change, trackIds: added })
}

/** The fields of a request that are stored without conversion. */
function editableFields({ description, release_date, label, upc }: Omit<Update, 'title'>) {
  return {
    ...(description === undefined ? {} : { description: description || null }),
    ...(release_date === undefined ? {} : { release_date }),
    ...(label === undefined ? {} : { label: label || null }),
    ...(upc === undefined ? {} : { upc: upc || null }),
  }
}
