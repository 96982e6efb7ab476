// Creates, changes and deletes spots (the owner's announcements between tracks) in the back office, and shows their
// statistics.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/service/admin-spots.ts'
import {
  maxSpots,
  type AdminSpot,
  type SpotRules,
  type SpotState,
} from '#contract/admin/service/admin-spots.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { coverUrl } from '../tracks/track-query.ts'
import { useUpload } from '../uploads/use-upload.ts'
import { spotAudioUrl } from './next-spot.ts'

export interface SpotServices {
  jobs: Pick<JobQueue, 'enqueue'>
  pictures: PictureServices
}

export async function listSpots(ctx: MemberContext): Promise<Output<typeof contract.listSpots>> {
  const [data, rules] = await Promise.all([readSpots(ctx, ctx.db), readRules(ctx.db)])
  return { data, rules }
}

export async function createSpot(
  services: SpotServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createSpot>,
): Promise<AdminSpot> {
  const { audio_path, cover_path, ...fields } = body
  if ((body.kind === 'sound') !== (audio_path !== undefined)) {
    throw new AppError('spot_without_sound')
  }
  refuseDates(body)
  const picture = await storeUploadedPicture(services.pictures, ctx, cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    // Lock the single row of the rules, so that concurrent requests cannot create more than `maxSpots`.
    await trx.query.selectFrom('spot_rules').select('id').forUpdate().execute()
    const { count } = await trx.query
      .selectFrom('spots')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= maxSpots) throw new AppError('too_many_spots')
    const { id } = await trx.query
      .insertInto('spots')
      .values({ ...fields, picture_id: (await picture?.claim(trx)) ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (audio_path !== undefined) await attachRecording(services, ctx, trx, id, audio_path)
    const spot = await findSpot(ctx, trx, id)
    const after = auditedSpot(spot)
    await writeAudit(ctx, trx, { action: 'create', entity: 'spot', entity_id: id, after })
    return spot
  })
}

export async function updateSpot(
  services: SpotServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateSpot>,
): Promise<AdminSpot> {
  const { audio_path, cover_path, ...fields } = body
  const picture = await storeUploadedPicture(services.pictures, ctx, cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const row = await lockSpot(trx, params.id)
    if (row.kind === 'card' && audio_path !== undefined) throw new AppError('spot_without_sound')
    const before = await findSpot(ctx, trx, params.id)
    refuseDates({ ...before, ...fields })
    const picture_id = cover_path === undefined ? undefined : ((await picture?.claim(trx)) ?? null)
    await trx.query
      .updateTable('spots')
      .set({
        ...fields,
        ...(picture_id !== undefined && { picture_id }),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', params.id)
      .execute()
    if (picture_id !== undefined && row.picture_id) await deletePicture(trx, row.picture_id)
    if (audio_path !== undefined) {
      if (row.source_key) await discardKeys(trx, [row.source_key])
      await attachRecording(services, ctx, trx, params.id, audio_path)
    }
    const spot = await findSpot(ctx, trx, params.id)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'spot',
      entity_id: params.id,
      before: auditedSpot(before),
      after: auditedSpot(spot),
    })
    return spot
  })
}

export async function deleteSpot(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deleteSpot>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const row = await lockSpot(trx, params.id)
    const before = auditedSpot(await findSpot(ctx, trx, params.id))
    await trx.query.deleteFrom('spots').where('id', '=', params.id).execute()
    if (row.picture_id) await deletePicture(trx, row.picture_id)
    await discardKeys(
      trx,
      [row.source_key, row.audio_key].filter((key) => key !== null),
    )
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'spot',
      entity_id: params.id,
      before,
    })
  })
}

export async function updateSpotRules(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateSpotRules>,
): Promise<SpotRules> {
  return transaction(ctx.db, async (trx) => {
    const before = await readRules(trx, true)
    await trx.query.updateTable('spot_rules').set(body).where('id', '=', 1).execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'spots',
      before,
      after: body,
    })
    return body
  })
}

/** Assigns an uploaded recording to the spot, and enqueues a job that encodes the recording. */
async function attachRecording(
  { jobs }: SpotServices,
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  path: string,
): Promise<void> {
  const source = await useUpload(trx, { path, bucket: 'audio', userId: ctx.actor.user_id })
  await claimFiles(trx, [source])
  await trx.query
    .updateTable('spots')
    .set({
      source_key: source.storageKey,
      processing_status: 'processing',
      processing_error: null,
    })
    .where('id', '=', id)
    .execute()
  await jobs.enqueue(trx, 'process-spot', { item_id: id })
}

function refuseDates(fields: { starts_at?: string | null; ends_at?: string | null }): void {
  const { starts_at, ends_at } = fields
  if (starts_at && ends_at && Date.parse(starts_at) >= Date.parse(ends_at)) {
    throw new AppError('spot_dates')
  }
}

async function lockSpot(trx: Transaction, id: string) {
  const row = await trx.query
    .selectFrom('spots')
    .select(['kind', 'picture_id', 'source_key', 'audio_key'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('spot_not_found')
  return row
}

async function readRules(handle: Handle, isLocked = false): Promise<SpotRules> {
  return handle.query
    .selectFrom('spot_rules')
    .select(['every_songs', 'per_hour', 'skip_after_seconds', 'offers_premium'])
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

async function findSpot(ctx: MemberContext, handle: Handle, id: string): Promise<AdminSpot> {
  const [spot] = await readSpots(ctx, handle, id)
  if (!spot) throw new AppError('spot_not_found')
  return spot
}

function readSpots(ctx: MemberContext, handle: Handle, id?: string): Promise<AdminSpot[]> {
  const now = ctx.now().toISOString()
  return handle.query
    .selectFrom('spots as s')
    .leftJoin('images as cover', 'cover.id', 's.picture_id')
    .leftJoinLateral(
      sql<{ shown: number; finished: number; clicked: number }>`(
        select count(*) as shown, count(finished_at) as finished, count(clicked_at) as clicked
          from spot_shows h where h.spot_id = s.id)`.as('figures'),
      (join) => join.onTrue(),
    )
    .select([
      's.id',
      's.kind',
      's.title',
      's.text',
      's.link_url',
      's.link_label',
      coverUrl('s.picture_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      's.is_on',
      's.starts_at',
      's.ends_at',
      's.category_ids',
      sql<SpotState>`case
        when s.processing_status <> 'ready' then s.processing_status
        when not s.is_on then 'off'
        when s.ends_at <= ${now} then 'over'
        when s.starts_at > ${now} then 'waiting'
        else 'on' end`.as('state'),
      's.processing_error',
      spotAudioUrl.as('audio_url'),
      sql<number>`coalesce(s.duration_seconds, 0)`.as('duration'),
      sql<number>`figures.shown`.as('shown'),
      sql<number>`figures.finished`.as('finished'),
      sql<number>`figures.clicked`.as('clicked'),
      's.created_at',
    ])
    .$if(id !== undefined, (query) => query.where('s.id', '=', id!))
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
}

/** Returns the fields that the audit entry stores. Omits the statistics, which change all the time. */
function auditedSpot(spot: AdminSpot) {
  const { kind, title, text, link_url, link_label, is_on, starts_at, ends_at, category_ids } = spot
  return { kind, title, text, link_url, link_label, is_on, starts_at, ends_at, category_ids }
}
