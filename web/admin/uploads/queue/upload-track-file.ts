// Uploads one file in three steps: request a signed upload, send the file, create the track. Each step is idempotent:
// it can be repeated after a lost response without creating a second track.
import { getAdminTrack, updateAdminTrack, type AdminTrack } from '#contract/admin/admin-tracks.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { findReleaseFolder } from '#contract/fields/dropped-folders.ts'
import type { SideFile } from '#contract/fields/side-files.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { ApiError, call } from '../../../base/api/api.ts'
import { uploadCover } from './folder-cover.ts'
import {
  getRetryAdvice,
  maxServerFailures,
  sleepUntilOnline,
  retryDelayMs,
  type Step,
} from './retry-advice.ts'
import type { SendFile, SignedUpload } from './send-file.ts'
import { abortWhenStalled } from './abort-when-stalled.ts'
import type { UploadItem } from './upload-item.ts'

export interface TrackUploadOptions {
  send: SendFile
  signal: AbortSignal
  onStep: (step: 'sending' | 'creating' | 'retrying') => void
  onProgress: (bytes: number) => void
  /** Called with the signed upload, to store it for a resume after a reload. Null if it is no longer valid. */
  onSigned: (signed: SignedUpload | null) => Promise<void>
  /** Reads the text files that belong to the recording. */
  sideFiles: () => Promise<SideFile[]>
  /** The cover image in the folder of the recording. */
  cover?: File | undefined
}

/** Throws AbortError, or the ApiError because of which the upload was given up. */
export async function uploadTrackFile(
  item: UploadItem,
  file: File,
  options: TrackUploadOptions,
): Promise<AdminTrack> {
  let { signed } = item
  let step: Step = 'signing'
  let isSent = false
  let tries = 0
  let furthest = 0
  let wasDamaged = false
  for (;;) {
    try {
      if (!signed) {
        step = 'signing'
        isSent = false
        signed = await abortWhenStalled(options.signal, (signal) => sign(item, signal))
        await options.onSigned(signed)
      }
      if (!isSent) {
        step = 'sending'
        options.onStep('sending')
        const target = signed
        await abortWhenStalled(options.signal, (signal, onProgress) =>
          options.send(file, target, {
            sha256: item.sha256,
            signal,
            onProgress(bytes) {
              onProgress()
              // Only bytes that were never sent before count as progress, because a rejected part is sent again in each
              // attempt.
              if (bytes > furthest) tries = 0
              furthest = Math.max(furthest, bytes)
              options.onProgress(bytes)
            },
          }),
        )
        isSent = true
      }
      step = 'creating'
      options.onStep('creating')
      return item.replaces
        ? await replaceRecording(item.replaces, signed.path, options.signal)
        : await createTrack(item, signed.path, options)
    } catch (error) {
      if (options.signal.aborted) throw error
      const advice = getRetryAdvice(error, step)
      const isServerFailure =
        error instanceof ApiError && (error.status >= 500 || error.status === 409)
      const isDamaged = error instanceof ApiError && error.code === 'upload_damaged'
      // The upload was damaged twice. The file itself must have changed since it was hashed.
      if (isDamaged && wasDamaged) throw error
      wasDamaged ||= isDamaged
      tries += 1
      if (
        advice === 'fail' ||
        advice === 'stop' ||
        (isServerFailure && tries > maxServerFailures)
      ) {
        throw error
      }
      if (advice === 'sent') isSent = true
      if (advice === 'restart') {
        // This also limits how often an upload is started from the beginning.
        if (tries > maxServerFailures) throw error
        signed = null
        await options.onSigned(null)
      }
      if (advice === 'sent' || (advice === 'restart' && tries === 1)) continue
      options.onStep('retrying')
      await sleepUntilOnline(retryDelayMs(error, tries - 1), options.signal)
    }
  }
}

async function sign(item: UploadItem, signal: AbortSignal): Promise<SignedUpload> {
  const { path, uploadUrl, uploadToken } = await call(
    createSignedUpload,
    {
      body: {
        bucket: 'audio',
        filename: item.name.slice(-255),
        mime: item.mime,
        size: item.byteSize,
      },
    },
    { signal },
  )
  return { path, uploadUrl, uploadToken }
}

async function createTrack(
  item: UploadItem,
  audio_path: string,
  { signal, cover, sideFiles }: TrackUploadOptions,
): Promise<AdminTrack> {
  const side_files = await sideFiles()
  const body = {
    ...(side_files.length > 0 && { side_files }),
    audio_path,
    batch: item.batch,
    allow_duplicate: item.allowsDuplicate,
    folder: findReleaseFolder(item.path),
  }
  const cover_path = await uploadCover(cover, signal)
  if (cover_path !== null) {
    try {
      return await importRecording({ ...body, cover_path }, signal)
    } catch (error) {
      if (!(error instanceof ApiError && coverErrorCodes.has(error.code))) throw error
    }
  }
  return importRecording(body, signal)
}

/** Replaces the recording of a track. Can be repeated safely, because only this track can have used this upload. */
async function replaceRecording(
  id: string,
  audio_path: string,
  signal: AbortSignal,
): Promise<AdminTrack> {
  const params = { id }
  try {
    return await abortWhenStalled(signal, (timed) =>
      call(updateAdminTrack, { params, body: { audio_path } }, { signal: timed }),
    )
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'upload_used')) throw error
    return call(getAdminTrack, { params }, { signal })
  }
}

async function importRecording(
  body: CallInput<typeof importTrack>['body'],
  signal: AbortSignal,
): Promise<AdminTrack> {
  const { data } = await abortWhenStalled(signal, (timed) =>
    call(importTrack, { body }, { signal: timed }),
  )
  return data
}

/** Codes of cover errors. The track is then created without a cover. */
const coverErrorCodes = new Set(['unsupported_image', 'image_too_large', 'rate_limited'])
