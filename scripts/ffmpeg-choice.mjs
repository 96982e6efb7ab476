// Finds the ffmpeg that the tests will use, by the same rules as the server.
import { runQuietly } from './run-process.mjs'
import { installPackages } from './system-packages.mjs'

/**
 * Installs the system's ffmpeg where possible, because it is many times as fast as the bundled WebAssembly build. The
 * bundled build has tests of its own. Returns a description of the build that the tests will use.
 */
export async function ensureFfmpeg(env) {
  return (await findFfmpeg(env)) ?? (await installFfmpeg(env)) ?? 'the bundled one (WebAssembly)'
}

async function installFfmpeg(env) {
  return (await installPackages('ffmpeg', ['ffmpeg'])) ? findFfmpeg(env) : undefined
}

async function findFfmpeg(env) {
  for (const program of [env.FFMPEG_PATH, 'ffmpeg']) {
    const version = program && (await readVersion(program, env))
    if (version) return `${version} (${program})`
  }
  return undefined
}

async function readVersion(program, env) {
  try {
    const { exitCode, output } = await runQuietly(program, ['-version'], { env })
    return exitCode === 0 ? /^ffmpeg version (\S+)/.exec(output)?.[1] : undefined
  } catch {
    // ffmpeg is not installed.
    return undefined
  }
}
