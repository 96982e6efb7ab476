// Uploads a file: requests a signed path, sends the bytes there and reports progress. The path is then passed to the
// operation that uses the file.
import { createSignedUpload, type Bucket } from '#contract/uploads.ts'
import { call } from '../api/api.ts'
import { putBytes } from './put-bytes.ts'
import { validateUploadFile } from './refuse-wrong-file.ts'

export interface UploadOptions {
  bucket: Bucket
  /** File name on the server; defaults to the file's own name. */
  filename?: string
  /** Called with the progress from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Returns the path that identifies the uploaded file. Throws an ApiError, or an AbortError when aborted. */
export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  const { bucket, filename = file.name, onProgress, signal } = options
  await validateUploadFile(file, bucket)
  const signed = await call(
    createSignedUpload,
    { body: { bucket, filename, mime: file.type || 'application/octet-stream', size: file.size } },
    signal ? { signal } : {},
  )
  const reportProgress = (bytes: number) => onProgress?.(bytes / Math.max(file.size, 1))
  if (signed.transport === 'parts') {
    const { sendByParts } = await import('./send-by-parts.ts')
    const given = signal ?? new AbortController().signal
    await sendByParts(file, signed.uploadUrl, { onProgress: reportProgress, signal: given })
  } else {
    // Send evidence as bytes: it can be text, which the server would parse. The server also rejects unknown content
    // types, so files without a type are sent as bytes, too.
    const isBytes = bucket === 'evidence' || file.type === ''
    const headers = {
      'upload-token': signed.uploadToken,
      'content-type': isBytes ? 'application/octet-stream' : file.type,
    }
    await putBytes(signed.uploadUrl, file, { headers, onProgress: reportProgress, signal })
  }
  return signed.path
}
