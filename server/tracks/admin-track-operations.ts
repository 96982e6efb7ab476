// What admins do with tracks. Every change writes its audit entry and tells all instances in the
// same transaction; the files follow by jobs enqueued there.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type {
  changeAdminTracks,
  getAdminTrack,
  publishTrack,
  updateAdminTrack,
} from '#contract/admin-tracks.ts'
import { constraintOf } from '../db/database-error.ts'
import { transaction, type Transaction } from '../db/database.ts'
import type { TrackRow } from '../db/tables.ts'
import { notify } from '../events/event-bus.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { dropImage, takePicture, type PictureServices } from '../media/take-picture.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import { claimKeys, discardKeys } from '../storage/storage-garbage.ts'
import { probeAudio } from '../media/probe.ts'
import type { Storage } from '../storage/storage.ts'
import { findCompleteUpload, useUpload } from '../uploads/use-upload.ts'
import { findAdminTrack } from './admin-track-query.ts'

export interface AdminTrackServices {
  jobs: JobQueue
  pictures: PictureServices
  storage: Storage
}

type CreateBody = Extract<ParsedInput<typeof changeAdminTracks>['body'], { action: 'create' }>
type UpdateBody = ParsedInput<typeof updateAdminTrack>['body']

/** Creates or deletes, as `action` says. */
export async function changeTracks(
  services: AdminTrackServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof changeAdminTracks>,
): Promise<Output<typeof changeAdminTracks>> {
  if (body.action === 'create') return { data: await createTrack(services, ctx, body) }
  await deleteTrack(ctx, body.id)
  return { data: null }
}

/** A new track from a finished upload; processing starts when this has committed. */
async function createTrack(services: AdminTrackServices, ctx: MemberContext, body: CreateBody) {
  await refuseUnplayable(services.storage, ctx, body.audio_path)
  const cover = await takePicture(services.pictures, ctx, body.cover_path, 'cover')
  return translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const source = await useUpload(trx, {
        path: body.audio_path,
        bucket: 'audio',
        userId: ctx.actor.user_id,
      })
      await claimKeys(trx, [source.storageKey])
      const { id } = await trx.query
        .insertInto('tracks')
        .values({
          ...editableFields(body),
          title: body.title,
          artist: body.artist,
          cover_id: (await cover?.claim(trx)) ?? null,
          publish_when_ready: body.is_published ?? false,
          source_key: source.storageKey,
          source_mime: source.mime,
          source_bytes: source.byteSize,
          source_sha256: source.sha256,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await services.jobs.enqueue(trx, 'process-track', { track_id: id })
      const track = await findAdminTrack(trx, id)
      await writeAudit(ctx, trx, {
        action: 'create',
        entity: 'track',
        entity_id: id,
        after: summary(track),
      })
      await notify(trx, 'tracks', id)
      return track
    }),
  )
}

/** Changes what is given; a new recording is processed, changed words are written into the files. */
export async function updateTrack(
  services: AdminTrackServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof updateAdminTrack>,
): Promise<Output<typeof updateAdminTrack>> {
  if (body.audio_path) await refuseUnplayable(services.storage, ctx, body.audio_path)
  const cover = await takePicture(services.pictures, ctx, body.cover_path, 'cover')
  return translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const before = await lockTrack(trx, params.id)
      const changes = {
        ...editableFields(body),
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(body.artist === undefined ? {} : { artist: body.artist }),
        ...(body.is_published === undefined ? {} : publication(before, body.is_published)),
        updated_at: ctx.now().toISOString(),
      }
      await trx.query.updateTable('tracks').set(changes).where('id', '=', params.id).execute()
      if (body.cover_path !== undefined)
        await replaceCover(trx, before, (await cover?.claim(trx)) ?? null)
      if (body.audio_path) await replaceSource(services, ctx, trx, before, body.audio_path)
      else if (tagsChanged(before, body)) {
        await services.jobs.enqueue(trx, 'retag-track', { track_id: params.id })
      }
      const track = await findAdminTrack(trx, params.id)
      await writeAudit(ctx, trx, {
        action: 'update',
        entity: 'track',
        entity_id: params.id,
        before: summary(before),
        after: summary(track),
      })
      await notify(trx, 'tracks', params.id)
      return track
    }),
  )
}

/** A file that is no music is refused at once, not when the pipeline gets to it. */
async function refuseUnplayable(storage: Storage, ctx: MemberContext, path: string): Promise<void> {
  const owned = { path, bucket: 'audio', userId: ctx.actor.user_id } as const
  const { storageKey } = await findCompleteUpload(ctx.db, owned)
  await storage.withLocalFile(storageKey, (file) => probeAudio(file))
}

async function deleteTrack(ctx: MemberContext, id: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const before = await lockTrack(trx, id)
    const renditions = await trx.query
      .deleteFrom('renditions')
      .where('track_id', '=', id)
      .returning('storage_key')
      .execute()
    await trx.query.deleteFrom('tracks').where('id', '=', id).execute()
    await discardKeys(trx, [
      ...renditions.map((rendition) => rendition.storage_key),
      ...(before.source_key ? [before.source_key] : []),
    ])
    if (before.cover_id) await dropImage(trx, before.cover_id)
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'track',
      entity_id: id,
      before: summary(before),
    })
    await notify(trx, 'tracks', id)
  })
}

/** Publishes, or takes back; a track still being processed is published when it is ready. */
export async function setTrackPublished(
  ctx: MemberContext,
  { params }: ParsedInput<typeof publishTrack>,
  isPublished: boolean,
): Promise<Output<typeof publishTrack>> {
  return transaction(ctx.db, async (trx) => {
    const before = await lockTrack(trx, params.id)
    if (isPublished && before.processing_status === 'failed') throw new AppError('track_not_ready')
    await trx.query
      .updateTable('tracks')
      .set({ ...publication(before, isPublished), updated_at: ctx.now().toISOString() })
      .where('id', '=', params.id)
      .execute()
    await writeAudit(ctx, trx, {
      action: isPublished ? 'publish' : 'unpublish',
      entity: 'track',
      entity_id: params.id,
    })
    await notify(trx, 'tracks', params.id)
    return findAdminTrack(trx, params.id)
  })
}

/** One track as admins see it. */
export function getTrackForAdmin(
  ctx: MemberContext,
  { params }: ParsedInput<typeof getAdminTrack>,
): Promise<Output<typeof getAdminTrack>> {
  return findAdminTrack(ctx.db, params.id)
}

async function lockTrack(trx: Transaction, id: string): Promise<TrackRow> {
  const row = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('track_not_found')
  return row
}

function publication(track: TrackRow, isPublished: boolean) {
  const isReady = track.processing_status === 'ready'
  return { is_published: isPublished && isReady, publish_when_ready: isPublished && !isReady }
}

async function replaceCover(
  trx: Transaction,
  before: TrackRow,
  coverId: string | null,
): Promise<void> {
  await trx.query
    .updateTable('tracks')
    .set({ cover_id: coverId })
    .where('id', '=', before.id)
    .execute()
  if (before.cover_id) await dropImage(trx, before.cover_id)
}

/** The old renditions go on playing until the new ones replace them in one transaction. */
async function replaceSource(
  services: AdminTrackServices,
  ctx: MemberContext,
  trx: Transaction,
  before: TrackRow,
  path: string,
): Promise<void> {
  const source = await useUpload(trx, { path, bucket: 'audio', userId: ctx.actor.user_id })
  await claimKeys(trx, [source.storageKey])
  if (before.source_key) await discardKeys(trx, [before.source_key])
  await trx.query
    .updateTable('tracks')
    .set({
      source_key: source.storageKey,
      source_mime: source.mime,
      source_bytes: source.byteSize,
      source_sha256: source.sha256,
    })
    .where('id', '=', before.id)
    .execute()
  await services.jobs.enqueue(trx, 'process-track', { track_id: before.id })
}

function tagsChanged(before: TrackRow, body: UpdateBody): boolean {
  return (['title', 'artist', 'genre', 'ai_disclosure', 'ai_tool'] as const).some(
    (field) => body[field] !== undefined && body[field] !== before[field],
  )
}

/** The given ones of the fields that are stored as they come. */
function editableFields(body: UpdateBody | CreateBody) {
  const {
    category,
    genre,
    description,
    lyrics,
    tags,
    explicit,
    duration,
    ai_disclosure,
    ai_tool,
    credits,
  } = body
  const given = {
    category: emptyToNull(category),
    genre: emptyToNull(genre),
    description: emptyToNull(description),
    lyrics: emptyToNull(lyrics),
    tags,
    explicit,
    duration,
    ai_disclosure,
    ai_tool: emptyToNull(ai_tool),
    credits: emptyToNull(credits),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<typeof given>
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  return value === '' ? null : value
}

/** What the audit trail keeps of a track. */
function summary(
  track: Pick<
    TrackRow,
    'title' | 'artist' | 'category' | 'genre' | 'is_published' | 'ai_disclosure'
  >,
) {
  const { title, artist, category, genre, is_published, ai_disclosure } = track
  return { title, artist, category, genre, is_published, ai_disclosure }
}

async function translateConstraints<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = constraintOf(error)
    if (constraint === 'tracks_category_fkey')
      throw new AppError('category_not_found', { cause: error })
    if (constraint === 'tracks_genre_fkey') throw new AppError('genre_not_found', { cause: error })
    throw error
  }
}
