// Runs one ffmpeg process of any build. Invariant: when the promise settles, the process has ended by itself, by the
// time limit or by the caller's signal.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { lowerPriority } from '../process/lower-priority.ts'
import { MediaError } from './media-error.ts'

const logTailCharacters = 64_000
export type FfmpegProcess = {
  /** An absolute path, because the process gets no PATH. */
  executable: string
  args: string[]
  /** Time limit in milliseconds. After that the process is killed and `media_timeout` is thrown. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Length of the output in seconds. Required for progress reports. */
  durationSeconds?: number | undefined
  /** Called with the completed fraction, from 0 to 1. It never decreases. */
  onProgress?: ((share: number) => void) | undefined
  /** Called with the bytes that the command writes to `pipe:1`, in order. A slow consumer slows the decoder down. */
  onOutput?: ((bytes: Buffer) => void) | undefined
}

export type FfmpegExit = { exitCode: number | null; log: string }

/** Throws `media_timeout`, `media_tool_failed` (ffmpeg could not start) or the signal's own reason. */
export async function runFfmpegProcess(command: FfmpegProcess): Promise<FfmpegExit> {
  const { signal, timeoutMs } = command
  signal?.throwIfAborted()
  const child = start(command)
  const log = collectLog(child)
  followProgress(child, command)
  const failure = forwardOutput(child, command.onOutput)

  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, timeoutMs)
  const kill = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', kill, { once: true })
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null]
    signal?.throwIfAborted()
    if (timedOut) throw new MediaError('media_timeout', 'The work on this file took too long.')
    if (failure.error) throw failure.error
    return { exitCode, log: log() }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new MediaError('media_tool_failed', 'ffmpeg could not be started.', { cause: error })
    }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
  }
}

function start({ executable, args }: FfmpegProcess): ChildProcess {
  // ffmpeg reads untrusted files, so it gets none of the server's environment variables.
  const child = spawn(executable, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

function collectLog(child: ChildProcess): () => string {
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-logTailCharacters)
  })
  return () => log
}

function forwardOutput(
  child: ChildProcess,
  onOutput: FfmpegProcess['onOutput'],
): { error?: unknown } {
  const failure: { error?: unknown } = {}
  child.stdout?.on('data', (bytes: Buffer) => {
    if (failure.error) return
    try {
      onOutput?.(bytes)
    } catch (error) {
      failure.error = error
      child.kill('SIGKILL')
    }
  })
  return failure
}

/** ffmpeg writes `out_time_us=<microseconds>` lines to fd 3, because of `-progress pipe:3`. */
function followProgress(child: ChildProcess, { durationSeconds, onProgress }: FfmpegProcess): void {
  const pipe = child.stdio[3]
  if (!pipe || !('setEncoding' in pipe)) return
  let rest = ''
  let reported = 0
  pipe.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const times = lines.flatMap((line) => /^out_time_us=(\d+)$/.exec(line)?.[1] ?? [])
    const doneSeconds = Number(times.at(-1) ?? 0) / 1e6
    const share = durationSeconds ? Math.min(1, doneSeconds / durationSeconds) : 0
    if (share <= reported) return
    reported = share
    onProgress?.(share)
  })
}
