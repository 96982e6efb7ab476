// Imports one local recording with its side files, through the same operations that admins use.
import type { SideFile } from '#contract/fields/side-files.ts'
import type { ImportDecision } from '#contract/admin/imports.ts'
import { isPermanentMediaError, MediaError } from '../../platform/ffmpeg/media-error.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { updateAdminTrack } from '../tracks/admin-track-operations.ts'
import {
  importTrack,
  type ImportDetails,
  type ImportTrackServices,
} from '../tracks/import-track.ts'
import type { UploadServices } from '../uploads/upload-operations.ts'
import type { ItemResult } from './import-rows.ts'
import { storeUpload, type StoredUpload } from './store-upload.ts'

export type FileServices = ImportTrackServices & UploadServices

export interface FoundRecording {
  localPath: string
  filename: string
  /** The tracks of one import form one batch, like files that are uploaded together. */
  batch: string
  folder: string | null
  sideFiles: SideFile[]
  /** Details of the recording from a table, manifest or server. */
  details: ImportDetails | undefined
  /** The path of a local picture, if the recording has one. */
  cover: string | null
  decision: ImportDecision | null
  knownTrackId: string | null
}

/** Codes of picture errors after which the track is created without a cover. */
const pictureCodes = new Set(['unsupported_image', 'image_too_large', 'rate_limited'])
/** Codes of temporary errors that would affect any import. After these, the job is retried later. */
const passing = new Set(['storage_full', 'rate_limited', 'internal'])

/** Imports a file and returns the result. Throws only errors that the file did not cause. */
export async function importFile(
  services: FileServices,
  ctx: MemberContext,
  found: FoundRecording,
): Promise<ItemResult> {
  const { localPath, filename } = found
  const audio = await storeUpload(services, ctx, { localPath, bucket: 'audio', filename })
  try {
    if (found.decision === 'replace' && found.knownTrackId !== null) {
      const params = { id: found.knownTrackId }
      await updateAdminTrack(services, ctx, {
        params,
        query: undefined,
        body: { audio_path: audio.path },
      })
      return { status: 'done', track_id: params.id }
    }
    const track_id = await createTrack(services, ctx, audio, found)
    return { status: 'done', track_id }
  } catch (error) {
    await audio.deleteIfUnused()
    return toItemResult(error)
  }
}

async function createTrack(
  services: FileServices,
  ctx: MemberContext,
  audio: StoredUpload,
  found: FoundRecording,
): Promise<string> {
  const body = {
    audio_path: audio.path,
    batch: found.batch,
    folder: found.folder,
    side_files: found.sideFiles,
    allow_duplicate: found.decision === 'keep',
  }
  const importOnce = async (more: { cover_path?: string }) => {
    const input = { params: undefined, query: undefined, body: { ...body, ...more } }
    return (await importTrack(services, ctx, input, found.details)).data.id
  }
  if (found.cover === null) return importOnce({})
  const file = { localPath: found.cover, bucket: 'covers', filename: 'cover' } as const
  const cover = await storeUpload(services, ctx, file)
  try {
    return await importOnce({ cover_path: cover.path })
  } catch (error) {
    await cover.deleteIfUnused()
    const isPicture =
      (error instanceof AppError || error instanceof MediaError) && pictureCodes.has(error.code)
    if (!isPicture) throw error
    return importOnce({})
  }
}

function toItemResult(error: unknown): ItemResult {
  if (error instanceof AppError && error.code === 'track_exists') {
    const { id, by } = error.details as { id: string; by: 'recording' | 'source' | 'sound' }
    return { status: 'known', known_track_id: id, known_by: by }
  }
  if (error instanceof AppError && !passing.has(error.code) && error.status < 500) {
    return { status: 'failed', reason: error.message }
  }
  if (error instanceof MediaError && isPermanentMediaError(error)) {
    return { status: 'failed', reason: error.message }
  }
  throw error
}
