// Evidence files prove how a song was made. Admins store, list, download and delete the evidence files of a track.
// Audit entries contain the number of files, not their names.
import { buffer } from 'node:stream/consumers'
import type { FastifyReply } from 'fastify'
import type * as contract from '#contract/admin/track-evidence.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { maxEvidence, type EvidenceMime } from '#contract/fields/evidence.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import { lockTrack } from '../tracks/admin-track-fields.ts'
import { findAdminTrack } from '../tracks/admin-track-query.ts'
import { findCompleteUpload, useUpload } from '../uploads/use-upload.ts'
import { detectEvidenceType } from './evidence-type.ts'

export interface EvidenceServices {
  storage: Storage
}

const shown = ['id', 'filename', 'mime', 'byte_size', 'sha256', 'created_at'] as const

export async function listTrackEvidence(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listTrackEvidence>,
): Promise<Output<typeof contract.listTrackEvidence>> {
  await findAdminTrack(ctx.db, params.id)
  const data = await ctx.db.query
    .selectFrom('track_evidence')
    .select(shown)
    .where('track_id', '=', params.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return { data }
}

/**
 * Stores an uploaded evidence file unchanged. A rejected file stays an unused upload, which is deleted when it expires.
 */
export async function addTrackEvidence(
  { storage }: EvidenceServices,
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.addTrackEvidence>,
): Promise<Output<typeof contract.addTrackEvidence>> {
  const owned = { path: body.path, bucket: 'evidence', userId: ctx.actor.user_id } as const
  const mime = await readType(storage, (await findCompleteUpload(ctx.db, owned)).storageKey)
  return transaction(ctx.db, async (trx) => {
    await lockTrack(trx, id)
    const count = await countEvidence(trx, id)
    if (count >= maxEvidence) throw new AppError('too_much_evidence')
    const file = await useUpload(trx, owned)
    await claimFiles(trx, [file])
    const evidence = await trx.query
      .insertInto('track_evidence')
      .values({
        track_id: id,
        storage_key: file.storageKey,
        filename: file.filename,
        mime,
        byte_size: file.byteSize,
        sha256: file.sha256,
        created_by: ctx.actor.user_id,
      })
      .returning(shown)
      .executeTakeFirstOrThrow()
    await auditCount(ctx, trx, id, { before: count, after: count + 1 })
    return evidence
  })
}

/**
 * Detects the type of an uploaded file. Evidence files are small, so the whole file is read into memory. Throws
 * `unsupported_evidence`.
 */
async function readType(storage: Storage, key: string): Promise<EvidenceMime> {
  const object = await storage.open(key)
  try {
    const mime = detectEvidenceType(await buffer(readObjectStream(object)))
    if (mime === null) throw new AppError('unsupported_evidence')
    return mime
  } finally {
    await object.close()
  }
}

/** Sends an evidence file as a download, because browsers must not render untrusted files. */
export async function downloadTrackEvidence(
  { storage }: EvidenceServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.downloadTrackEvidence>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await findEvidence(ctx.db, params)
  const object = await storage.open(found.storage_key).catch((cause: unknown) => {
    throw isStorageError(cause, 'not_found') ? new AppError('track_file_missing', { cause }) : cause
  })
  const body = readObjectStream(object)
  body.once('close', () => void object.close())
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', object.byteSize)
    .header(
      'content-disposition',
      `attachment; filename="evidence"; filename*=UTF-8''${encodeName(found.filename)}`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(body)
}

/** Encodes the file name according to RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export async function deleteTrackEvidence(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deleteTrackEvidence>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockTrack(trx, params.id)
    const { storage_key } = await findEvidence(trx, params)
    const count = await countEvidence(trx, params.id)
    await trx.query.deleteFrom('track_evidence').where('id', '=', params.evidence_id).execute()
    await discardKeys(trx, [storage_key])
    await auditCount(ctx, trx, params.id, { before: count, after: count - 1 })
  })
}

async function findEvidence(
  handle: Handle,
  { id, evidence_id }: { id: string; evidence_id: string },
) {
  const found = await handle.query
    .selectFrom('track_evidence as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select(['e.storage_key', 'e.filename'])
    .where('e.id', '=', evidence_id)
    .where('e.track_id', '=', id)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found
}

async function countEvidence(trx: Transaction, trackId: string): Promise<number> {
  const { count } = await trx.query
    .selectFrom('track_evidence')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('track_id', '=', trackId)
    .executeTakeFirstOrThrow()
  return count
}

async function auditCount(
  ctx: MemberContext,
  trx: Transaction,
  trackId: string,
  { before, after }: { before: number; after: number },
): Promise<void> {
  await writeAudit(ctx, trx, {
    action: 'update',
    entity: 'track',
    entity_id: trackId,
    before: { evidence_files: before },
    after: { evidence_files: after },
  })
}
