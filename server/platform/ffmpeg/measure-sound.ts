// Runs one ffmpeg command in a thread that counts and measures the samples it writes.
import type { FfmpegProcess } from './ffmpeg-process.ts'
import { createThreadPool } from '../process/thread-pool.ts'
import type { MeasuredSound, SoundResponse } from './measure-sound-thread.ts'
import { MediaError } from './media-error.ts'

const threads = createThreadPool(new URL('./measure-sound-thread.ts', import.meta.url), {
  maxOldGenerationSizeMb: 64,
})

/**
 * The command writes signed 16-bit stereo samples of `sampleRate` to `pipe:1`. When the promise settles, the ffmpeg
 * process has ended. Throws the errors of runFfmpegProcess.
 */
export async function measureSound({
  signal,
  onProgress,
  ...command
}: Omit<FfmpegProcess, 'onOutput'> & { sampleRate: number }): Promise<MeasuredSound> {
  signal?.throwIfAborted()
  const thread = threads.acquire()
  const { promise, resolve, reject } = Promise.withResolvers<MeasuredSound>()
  const take = (response: SoundResponse) => {
    if ('share' in response) onProgress?.(response.share)
    else if ('sound' in response) resolve(response.sound)
    else reject(new MediaError(response.failure.code, response.failure.message))
  }
  const stop = () => thread.postMessage('stop')
  thread.on('message', take).once('error', reject)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    thread.postMessage(command)
    const sound = await promise
    thread.off('message', take).off('error', reject)
    threads.release(thread)
    return sound
  } catch (error) {
    await thread.terminate()
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
