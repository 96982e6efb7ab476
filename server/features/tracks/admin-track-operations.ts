// Track operations for admins. Each change writes its audit entry and notifies all instances in the same transaction.
// Jobs enqueued in that transaction update the track's files.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/admin-tracks.ts'
import type { ReadBranding } from '../settings/branding.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { computeAvailabilityChanges, noAvailability } from '../availability/change-availability.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import { probeAudio } from '../../platform/ffmpeg/probe.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { findCompleteUpload, useUpload } from '../uploads/use-upload.ts'
import { creditArtistText, resolveCredits, writeCredits } from '../credits/write-credits.ts'
import { artistLine } from '#contract/fields/artist-credits.ts'
import {
  toAuditedTrack,
  pickEditableFields,
  lockTrack,
  computePublicationChanges,
  hasChangedTags,
  translateTrackConstraints,
} from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'
import { deleteTrack } from './delete-tracks.ts'
import { insertTrack } from './insert-track.ts'

export interface AdminTrackServices {
  jobs: JobQueue
  pictures: PictureServices
  storage: Storage
  branding: ReadBranding
}

type CreateBody = Extract<
  ParsedInput<typeof contract.changeAdminTracks>['body'],
  { action: 'create' }
>

/** Runs the request's `action`: creates a track or deletes tracks. */
export async function changeAdminTracks(
  services: AdminTrackServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.changeAdminTracks>,
): Promise<Output<typeof contract.changeAdminTracks>> {
  if (body.action === 'create') return { data: await createTrack(services, ctx, body) }
  await deleteTrack(ctx, body.id)
  return { data: null }
}

/** Creates a track from a finished upload. Its processing starts after the commit. */
async function createTrack(services: AdminTrackServices, ctx: MemberContext, body: CreateBody) {
  await rejectUnplayable(services.storage, ctx, body.audio_path)
  const cover = await storeUploadedPicture(services.pictures, ctx, body.cover_path, 'cover')
  return translateTrackConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const source = await useUpload(trx, {
        path: body.audio_path,
        bucket: 'audio',
        userId: ctx.actor.user_id,
      })
      const credits = body.artists ? await resolveCredits(trx, body.artists) : null
      const fields = {
        ...pickEditableFields(body),
        title: body.title,
        artist: credits ? artistLine(credits) : body.artist,
        cover_id: (await cover?.claim(trx)) ?? null,
        ...computeAvailabilityChanges(noAvailability, body, {
          wasPublished: false,
          isPublished: body.is_published ?? false,
          now: ctx.now(),
        }),
        publish_when_ready: body.is_published ?? false,
      }
      return insertTrack(services, ctx, trx, source, fields, credits)
    }),
  )
}

/**
 * Updates the given fields of a track. A new recording is processed; changed tags are written into the existing files.
 */
export async function updateAdminTrack(
  services: AdminTrackServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateAdminTrack>,
): Promise<Output<typeof contract.updateAdminTrack>> {
  if (body.audio_path) await rejectUnplayable(services.storage, ctx, body.audio_path)
  const cover = await storeUploadedPicture(services.pictures, ctx, body.cover_path, 'cover')
  return translateTrackConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const before = await lockTrack(trx, params.id)
      await refuseStale(trx, before, body.version, () => findAdminTrack(trx, params.id))
      const credits = body.artists ? await resolveCredits(trx, body.artists) : null
      const artist = credits ? artistLine(credits) : body.artist
      const changes = {
        ...changedBy(ctx),
        ...pickEditableFields(body),
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(artist === undefined ? {} : { artist }),
        ...computePublicationChanges(before, body, ctx.now()),
        ...(body.cover_path === undefined ? {} : { cover_id: (await cover?.claim(trx)) ?? null }),
        ...(body.audio_path ? await claimSource(ctx, trx, body.audio_path) : {}),
        updated_at: ctx.now().toISOString(),
      }
      await trx.query.updateTable('tracks').set(changes).where('id', '=', params.id).execute()
      if (credits) await writeCredits(ctx, trx, params.id, credits)
      else if (artist !== undefined) await creditArtistText(trx, params.id)
      if (body.cover_path !== undefined && before.cover_id)
        await deletePicture(trx, before.cover_id)
      if (body.audio_path) {
        if (before.source_key) await discardKeys(trx, [before.source_key])
        await services.jobs.enqueue(trx, 'process-track', { track_id: params.id })
      } else if (hasChangedTags(before, { ...body, artist: artist ?? before.artist })) {
        await services.jobs.enqueue(trx, 'retag-track', { track_id: params.id })
      }
      const track = await findAdminTrack(trx, params.id)
      await writeAudit(ctx, trx, {
        action: 'update',
        entity: 'track',
        entity_id: params.id,
        before: toAuditedTrack(before),
        after: toAuditedTrack(track),
      })
      await notify(trx, 'tracks', params.id)
      return track
    }),
  )
}

/** Rejects an upload without audio immediately, before a processing job would fail on it. */
async function rejectUnplayable(storage: Storage, ctx: MemberContext, path: string): Promise<void> {
  const owned = { path, bucket: 'audio', userId: ctx.actor.user_id } as const
  const { storageKey } = await findCompleteUpload(ctx.db, owned)
  await storage.withLocalFile(storageKey, (file) => probeAudio(file))
}

/** Publishes a track. A track that is still being processed is published once it is ready. */
export async function publishTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.publishTrack>,
): Promise<Output<typeof contract.publishTrack>> {
  return setPublished(ctx, params.id, true)
}

export async function unpublishTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.unpublishTrack>,
): Promise<Output<typeof contract.unpublishTrack>> {
  return setPublished(ctx, params.id, false)
}

function setPublished(ctx: MemberContext, id: string, isPublished: boolean) {
  return transaction(ctx.db, async (trx) => {
    await setPublishedInTransaction(ctx, trx, id, isPublished)
    return findAdminTrack(trx, id)
  })
}

/** Like publishTrack, but within the caller's transaction. Throws `track_not_found`, `track_not_ready`. */
export function publishTrackInTransaction(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
): Promise<void> {
  return setPublishedInTransaction(ctx, trx, id, true)
}

async function setPublishedInTransaction(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  isPublished: boolean,
): Promise<void> {
  const before = await lockTrack(trx, id)
  if (isPublished && before.processing_status === 'failed') throw new AppError('track_not_ready')
  const body = { is_published: isPublished, release_at: null }
  await trx.query
    .updateTable('tracks')
    .set({
      ...computePublicationChanges(before, body, ctx.now()),
      ...changedBy(ctx),
      updated_at: ctx.now().toISOString(),
    })
    .where('id', '=', id)
    .execute()
  await writeAudit(ctx, trx, {
    action: isPublished ? 'publish' : 'unpublish',
    entity: 'track',
    entity_id: id,
  })
  await notify(trx, 'tracks', id)
}

/** Reads one track with the fields that admins see. */
export function getAdminTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getAdminTrack>,
): Promise<Output<typeof contract.getAdminTrack>> {
  return findAdminTrack(ctx.db, params.id)
}

/**
 * Assigns a new recording to a track. The old renditions stay playable until one transaction replaces them with the new
 * ones.
 */
async function claimSource(ctx: MemberContext, trx: Transaction, path: string) {
  const source = await useUpload(trx, { path, bucket: 'audio', userId: ctx.actor.user_id })
  await claimFiles(trx, [source])
  return {
    source_key: source.storageKey,
    source_mime: source.mime,
    source_bytes: source.byteSize,
    source_sha256: source.sha256,
  }
}
