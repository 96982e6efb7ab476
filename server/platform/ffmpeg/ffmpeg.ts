// The only module that runs ffmpeg. Selects a build (FFMPEG_PATH, then the PATH, otherwise the WebAssembly build from
// the package) and runs the same arguments on each of them.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runFfmpegProcess, type FfmpegExit, type FfmpegProcess } from './ffmpeg-process.ts'
import type { MeasuredSound } from './measure-sound-thread.ts'
import { measureSound } from './measure-sound.ts'
import { MediaError } from './media-error.ts'
import { findNativeFfmpeg } from './native-ffmpeg.ts'
import { limitConcurrency } from '../process/limit-concurrency.ts'
import { refusedExitCode, type WasmCommand } from './wasm-command.ts'

const mebibyte = 1024 ** 2
/** Upper limit of a single memory allocation, regardless of the size that a header declares. */
const allocationLimitBytes = 256 * mebibyte
const wasmMemoryLimitBytes = 1024 * mebibyte

export type FfmpegRun = Omit<FfmpegProcess, 'executable' | 'args'> & {
  /** Absolute paths of the files in `args`. The WebAssembly build can access no other files. */
  inputs: string[]
  outputs: string[]
}

export type Ffmpeg = {
  backend: 'native' | 'wasm'
  version: string
  /**
   * Runs one command. At most one command per core runs concurrently. `args` follow the global arguments. Returns the
   * end of the log. Throws `media_damaged` or `unsupported_media` when ffmpeg refuses the file, `media_timeout`,
   * `media_tool_failed`, or the signal's reason when aborted.
   */
  run: (args: string[], run: FfmpegRun) => Promise<{ log: string }>
  /** Runs a command that writes signed 16-bit stereo samples to `pipe:1`, and measures them. */
  measure: (
    args: string[],
    run: Omit<FfmpegRun, 'onOutput'> & { sampleRate: number },
  ) => Promise<{ log: string } & Omit<MeasuredSound, 'exit'>>
}

type Log = { info: (fields: object, message: string) => void }

/** A build of ffmpeg, and how to run it. */
type FfmpegBuild = Pick<Ffmpeg, 'backend' | 'version'> & {
  command: (
    args: string[],
    files: Pick<FfmpegRun, 'inputs' | 'outputs'>,
  ) => Pick<FfmpegProcess, 'executable' | 'args'>
  /** Whether ffmpeg exited because it refused the file. False if it was killed. */
  isRefusal: (exit: FfmpegExit) => boolean
}

/**
 * @param ffmpegPath the owner's choice (FFMPEG_PATH). If it can't be used, this throws instead of trying another build.
 * `'wasm'` selects the WebAssembly build.
 */
export async function createFfmpeg(
  options: { ffmpegPath?: string | undefined; log?: Log } = {},
): Promise<Ffmpeg> {
  const { backend, version, command, isRefusal } = await findFfmpeg(options.ffmpegPath)
  options.log?.info({ backend, version }, 'ffmpeg chosen')
  // A command uses one core fully. More concurrent commands would slow each other and the API down.
  const inTurn = limitConcurrency(availableParallelism())
  const processOf = (args: string[], { inputs, outputs, ...run }: FfmpegRun): FfmpegProcess => ({
    ...run,
    ...command([...globalArgs, ...args], { inputs, outputs }),
  })
  return {
    backend,
    version,
    run: (args, run) =>
      inTurn(async () => {
        const exit = await runFfmpegProcess(processOf(args, run))
        return { log: parseLog(exit, isRefusal) }
      }),
    measure: (args, { sampleRate, ...run }) =>
      inTurn(async () => {
        const { exit, ...sound } = await measureSound({ ...processOf(args, run), sampleRate })
        return { log: parseLog(exit, isRefusal), ...sound }
      }),
  }
}

async function findFfmpeg(ffmpegPath: string | undefined): Promise<FfmpegBuild> {
  if (ffmpegPath === 'wasm') return wasmBuild
  const found = await findNativeFfmpeg(ffmpegPath ?? 'ffmpeg')
  if ('version' in found) return nativeBuild(found.executable, found.version)
  if (!ffmpegPath) return wasmBuild
  throw new MediaError('media_tool_failed', `FFMPEG_PATH ${ffmpegPath}: ${found.problem}`)
}

function nativeBuild(executable: string, version: string): FfmpegBuild {
  return {
    backend: 'native',
    version,
    command: (args) => ({ executable, args }),
    // Without an exit code, the process was killed, for example by the system when memory ran out.
    isRefusal: ({ exitCode }) => exitCode !== null,
  }
}

const wasmBuild: FfmpegBuild = {
  backend: 'wasm',
  version: '5.1.4',
  command(args, files) {
    const child = fileURLToPath(new URL('./ffmpeg-wasm-child.ts', import.meta.url))
    const command: WasmCommand = { args, ...files, memoryLimitBytes: wasmMemoryLimitBytes }
    const nodeArgs = ['--max-old-space-size=128', child, JSON.stringify(command)]
    return { executable: process.execPath, args: nodeArgs }
  },
  isRefusal: ({ exitCode }) => exitCode === refusedExitCode,
}

/** With `level`, each line of the log starts with its level, which distinguishes errors from information. */
const globalArgs = [
  '-hide_banner -nostdin -nostats -y -loglevel level+info',
  '-progress pipe:3 -stats_period 0.25',
  `-max_alloc ${allocationLimitBytes}`,
].flatMap((words) => words.split(' '))

/**
 * Ctrl+C reaches every process of the terminal. ffmpeg then exits with the same code as for a file that it refuses.
 */
const wasInterrupted = /^(?:\[info\] )?Exiting normally, received signal \d+\.$/m

function parseLog(exit: FfmpegExit, isRefusal: FfmpegBuild['isRefusal']): string {
  if (exit.exitCode === 0) return exit.log
  const toolLog = exit.log.slice(-4000)
  // ffmpeg logs the tags of the file at level info, so only other lines describe the error.
  const problems = toolLog.replaceAll(/^.*\[info\].*$/gm, '')
  const isOurs =
    /cannot allocate memory|no space left on device|no such file/i.test(problems) ||
    wasInterrupted.test(toolLog)
  if (isOurs || !isRefusal(exit)) {
    throw new MediaError('media_tool_failed', 'ffmpeg could not finish its work.', { toolLog })
  }
  // A supported container may have an unsupported codec, or no sound at all.
  if (/not on whitelist|matches no streams|decoder .*not found/i.test(problems)) {
    const message = 'The sound in this file has a format that cannot be played.'
    throw new MediaError('unsupported_media', message, { toolLog })
  }
  throw new MediaError('media_damaged', 'The recording is damaged and cannot be read.', { toolLog })
}
