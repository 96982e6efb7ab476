// Computes the SHA-256 of a file in a worker.
import type { HashResult, HashRequest } from './hash-worker.ts'

/** Thrown if the file was moved, changed or deleted and can't be read any more. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

let worker: Worker | undefined
let lastId = 0

/** Returns the hash in hex. Calls `onProgress` with the number of bytes read so far. Throws UnreadableFileError. */
export function hashFile(file: Blob, onProgress: (bytes: number) => void): Promise<string> {
  worker ??= new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  const reader = worker
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const listening = new AbortController()
    const { signal } = listening
    const onMessage = ({ data }: MessageEvent<HashResult>) => {
      if (data.id !== id) return
      if ('bytes' in data) return onProgress(data.bytes)
      listening.abort()
      if ('sha256' in data) resolve(data.sha256)
      else reject(new UnreadableFileError('The file can no longer be read.'))
    }
    reader.addEventListener('message', onMessage, { signal })
    reader.addEventListener(
      'error',
      () => {
        listening.abort()
        // Start a new worker for the next file, because this one has failed.
        worker = undefined
        reject(new UnreadableFileError('The file cannot be read.'))
      },
      { signal },
    )
    const request: HashRequest = { id, file }
    reader.postMessage(request)
  })
}
