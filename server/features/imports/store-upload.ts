// Stores a local file as an upload of the person who started the import, so that the import can use the same operations
// as admins.
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Bucket } from '#contract/uploads.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { completeUpload } from '../uploads/complete-upload.ts'
import { deleteUnusedUpload } from '../uploads/sweep-uploads.ts'
import { createUpload, type UploadServices } from '../uploads/upload-operations.ts'

const audioMimes: Readonly<Record<string, string>> = {
  '.wav': 'audio/wav',
  '.wave': 'audio/wav',
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.m4b': 'audio/mp4',
  '.mp4': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.aif': 'audio/aiff',
  '.aiff': 'audio/aiff',
}

/** The MIME type implied by the file name. The content is checked later. */
export function guessMimeType(bucket: Bucket, filename: string): string {
  if (bucket === 'covers') return 'image/jpeg'
  return audioMimes[extname(filename).toLowerCase()] ?? 'audio/mpeg'
}

export interface StoredUpload {
  path: string
  /** Deletes the upload, unless a track uses it. */
  deleteIfUnused: () => Promise<void>
}

export async function storeUpload(
  services: UploadServices,
  ctx: MemberContext,
  file: { localPath: string; bucket: Bucket; filename: string },
): Promise<StoredUpload> {
  const { size } = await stat(file.localPath)
  const { bucket, filename } = file
  const mime = guessMimeType(bucket, filename)
  const body = { bucket, filename: filename.slice(-255), mime, size }
  const upload = await createUpload(services, ctx, { body })
  await completeUpload(services, upload, file.localPath)
  return { path: upload.path, deleteIfUnused: () => deleteUnusedUpload(services.db, upload.id) }
}
