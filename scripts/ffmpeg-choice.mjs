// Describes which ffmpeg the tests will use. The server makes the same choice.
import { runQuietly } from './run-process.mjs'

export async function describeFfmpeg(env) {
  for (const program of [env.FFMPEG_PATH, 'ffmpeg']) {
    const version = program && (await readVersion(program, env))
    if (version) return `${version} (${program})`
  }
  return 'the bundled one (WebAssembly, slower; install ffmpeg to use the system’s)'
}

async function readVersion(program, env) {
  try {
    const { exitCode, output } = await runQuietly(program, ['-version'], { env })
    return exitCode === 0 ? /^ffmpeg version (\S+)/.exec(output)?.[1] : undefined
  } catch {
    // Not installed.
    return undefined
  }
}
