// Uploads a file with the tus protocol: reads the current offset from the server and sends the rest in chunks. Each
// chunk is read from the file only when it is sent.
import type { HttpResponse } from 'tus-js-client'
import { ApiError, toApiError } from '../../../base/api/api.ts'
import type { SendOptions, SignedUpload } from './send-file.ts'

const partBytes = 8 * 1024 * 1024

/** Resolves when the server has all of it. Throws an ApiError (status 0: no answer), or AbortError when aborted. */
export async function sendByTus(
  file: File,
  signed: Pick<SignedUpload, 'uploadUrl' | 'uploadToken'>,
  { onProgress, signal }: SendOptions,
): Promise<void> {
  const { Upload, DetailedError } = await import('tus-js-client')
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl: signed.uploadUrl,
      headers: { 'upload-token': signed.uploadToken },
      chunkSize: partBytes,
      // The queue decides whether and when to retry.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress,
      onSuccess: () => resolve(),
      onError: (error) => {
        const response = error instanceof DetailedError ? error.originalResponse : null
        void toError(response ?? null).then(reject)
      },
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(new DOMException('The upload was given up', 'AbortError'))
    })
    upload.start()
  })
}

function toError(response: HttpResponse | null): Promise<ApiError> {
  const status = response?.getStatus() ?? 0
  if (!response || status < 400) {
    return Promise.resolve(new ApiError('network', 0, 'The server cannot be reached.'))
  }
  return toApiError(new Response(response.getBody(), { status }))
}
