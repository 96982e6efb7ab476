// Checks whether an upload is supported audio, and reads its header. Decodes nothing, so the duration is only that in
// the header. analyzeAudio measures the actual one.
import type { AudioHeader } from './audio-header.ts'
import { createThreadPool } from '../process/thread-pool.ts'
import { MediaError } from './media-error.ts'
import type { ProbeResponse } from './probe-worker.ts'

export type { AudioHeader } from './audio-header.ts'

export const defaultMaxDurationSeconds = 3 * 3600
const probeTimeoutMs = 20_000
const probeMemoryMebibytes = 192

/**
 * Throws `unsupported_media`, `media_damaged` (supported format, unreadable header), `media_too_long` (by the
 * duration in the header), `media_timeout`, or an I/O error if the file can't be read.
 */
export async function probeAudio(
  path: string,
  { maxDurationSeconds = defaultMaxDurationSeconds }: { maxDurationSeconds?: number } = {},
): Promise<AudioHeader> {
  const response = await runInWorker(path)
  if ('header' in response) {
    const { header } = response
    if ((header.durationSeconds ?? 0) > maxDurationSeconds)
      throw createTooLongError(maxDurationSeconds)
    return header
  }
  if (response.problem === 'unreadable') {
    const toolLog = response.reason
    throw new MediaError('media_damaged', 'The recording is damaged and cannot be read.', {
      toolLog,
    })
  }
  if (response.problem === 'no_audio') {
    throw new MediaError('unsupported_media', 'This file is not a sound recording.')
  }
  throw new MediaError(
    'unsupported_media',
    'This file is not audio that can be played. Use MP3, WAV, FLAC, M4A, AAC, Ogg or AIFF.',
  )
}

export function createTooLongError(maxDurationSeconds: number): MediaError {
  const minutes = Math.floor(maxDurationSeconds / 60)
  return new MediaError('media_too_long', `The recording is longer than ${minutes} minutes.`)
}

const threads = createThreadPool(new URL('./probe-worker.ts', import.meta.url), {
  maxOldGenerationSizeMb: probeMemoryMebibytes,
})

async function runInWorker(path: string): Promise<ProbeResponse> {
  const worker = threads.acquire()
  const { promise, resolve, reject } = Promise.withResolvers<ProbeResponse>()
  const timer = setTimeout(() => {
    reject(new MediaError('media_timeout', 'Reading this file took too long.'))
  }, probeTimeoutMs)
  const fail = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(error) : error)
  worker.once('message', resolve).once('error', fail)
  try {
    worker.postMessage(path)
    const response = await promise
    worker.off('error', fail)
    threads.release(worker)
    return response
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function outOfMemory(cause: Error): MediaError {
  return new MediaError('media_damaged', 'The recording is damaged and cannot be read.', { cause })
}
