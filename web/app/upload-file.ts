// Brings a file to the server: asks for a signed path, sends the bytes there, tells how far it is. The
// path then goes into the operation that uses the file.
import { createSignedUpload, uploadMaxBytes, type Bucket } from '#contract/uploads.ts'
import { ApiError, call, toApiError } from './api.ts'

export interface UploadOptions {
  bucket: Bucket
  /** What the file is called there; its own name by default. */
  filename?: string
  /** 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Returns the path that names the file from now on. Throws an ApiError, or an AbortError when given up. */
export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  const { bucket, filename = file.name, onProgress, signal } = options
  if (file.size > uploadMaxBytes[bucket]) {
    throw new ApiError('payload_too_large', 413, 'The file is too large.')
  }
  const signed = await call(
    createSignedUpload,
    { body: { bucket, filename, mime: file.type || 'application/octet-stream', size: file.size } },
    signal ? { signal } : {},
  )
  await putBytes(file, signed, { onProgress, signal })
  return signed.path
}

/** By XMLHttpRequest, as fetch cannot tell how much has gone out. */
function putBytes(
  file: File,
  { uploadUrl, uploadToken }: { uploadUrl: string; uploadToken: string },
  { onProgress, signal }: Pick<UploadOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', uploadUrl)
    request.setRequestHeader('upload-token', uploadToken)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = (event) => onProgress?.(event.loaded / Math.max(event.total, 1))
    request.onload = () => {
      if (request.status < 300) resolve()
      else {
        const answer = new Response(request.responseText, { status: request.status })
        void toApiError(answer).then(reject)
      }
    }
    request.onerror = () =>
      reject(
        new ApiError('network', 0, 'The server cannot be reached. Please check your connection.'),
      )
    request.onabort = () => reject(new DOMException('The upload was given up', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
