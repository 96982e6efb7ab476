// Uploads one request body. Uses XMLHttpRequest, because fetch does not report upload progress.
import { ApiError, toApiError } from '../api/api.ts'

/** After this long without progress the connection counts as lost. */
const silenceTimeoutMs = 60_000

interface PutOptions {
  headers?: Record<string, string>
  /** Called with the number of bytes sent. */
  onProgress?: ((bytes: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Throws an ApiError (status 0: no response), or an AbortError when aborted. */
export function putBytes(
  url: string,
  body: Blob,
  { headers = {}, onProgress, signal }: PutOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout>
    const listen = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        fail(createNoResponseError())
        request.abort()
      }, silenceTimeoutMs)
    }
    const giveUp = () => {
      fail(new DOMException('The upload was canceled', 'AbortError'))
      request.abort()
    }
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
    }
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      listen()
      onProgress?.(loaded)
    }
    request.onload = () => {
      end()
      if (request.status < 300) {
        onProgress?.(body.size)
        resolve()
      } else {
        const answer = new Response(request.responseText, { status: request.status })
        void toApiError(answer).then(reject)
      }
    }
    request.onerror = () => fail(createNoResponseError())
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp)
    listen()
    request.send(body)
  })
}

function createNoResponseError(): ApiError {
  return new ApiError('network', 0, 'The server cannot be reached. Please check your connection.')
}
