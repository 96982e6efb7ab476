// Finds the system's ffmpeg and checks that it has every feature that we use.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { runFfmpegProcess } from './ffmpeg-process.ts'
import { MediaError } from './media-error.ts'

const oldestVersion = [5, 1] as const

/** Absolute path and version (`8.0`), or the problem, worded as the end of an error message. */
export type NativeFfmpeg = { executable: string; version: string } | { problem: string }

/** `name` is a path, or a command that is searched in the PATH. */
export async function findNativeFfmpeg(name: string): Promise<NativeFfmpeg> {
  const executable = await findExecutable(name)
  return executable ? check(executable) : { problem: 'not found' }
}

/** Searches the PATH with the shell. Returns an absolute path. */
async function findExecutable(name: string): Promise<string | undefined> {
  const find = promisify(execFile)('/bin/sh', ['-c', 'command -v "$1"', 'sh', name])
  const found = await find.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  return found ? resolve(found) : undefined
}

async function check(executable: string): Promise<NativeFfmpeg> {
  const runFfmpeg = (args: string[]) => capture(executable, args)
  const banner = await runFfmpeg(['-version'])
  if (banner === undefined) return { problem: 'cannot be started' }
  const version = /^ffmpeg version \D*(\d+)\.(\d+)\S*/.exec(banner)
  // Builds from a source checkout have versions like N-12345. All of them are newer than the oldest supported
  // release.
  if (!version && !banner.startsWith('ffmpeg version N-')) return { problem: 'is not ffmpeg' }
  if (version && isOlder(Number(version[1]), Number(version[2]))) {
    return { problem: `is older than ${oldestVersion.join('.')}` }
  }
  const encoders = await runFfmpeg(['-hide_banner', '-encoders'])
  if (!/^ A\S+ aac /m.test(encoders ?? '')) return { problem: 'has no AAC encoder' }
  return { executable, version: version ? `${version[1]}.${version[2]}` : 'development' }
}

function isOlder(major: number, minor: number): boolean {
  return major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])
}

async function capture(executable: string, args: string[]): Promise<string | undefined> {
  const chunks: Buffer[] = []
  const run = {
    executable,
    args,
    timeoutMs: 10_000,
    onOutput: (bytes: Buffer) => chunks.push(bytes),
  }
  try {
    const { exitCode } = await runFfmpegProcess({ ...run })
    return exitCode === 0 ? Buffer.concat(chunks).toString() : undefined
  } catch (error) {
    if (error instanceof MediaError) return undefined
    throw error
  }
}
