// Finds a Chromium for the browser journeys, or gets one: from the system's packages, else from the one that comes
// as a dependency.
import { bundledChromium } from './bundled-chromium.mjs'
import { step } from './progress.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const systemPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Returns the program's path, tried out. Throws a SetupError that says what to do. */
export async function ensureChromium({ env }) {
  if (env.CHROMIUM_PATH) {
    if (await works(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new SetupError(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, which cannot be run.`)
  }
  return (
    (await findSystemChromium()) ?? (await installFromSystem()) ?? (await unpackBundled()) ?? fail()
  )
}

async function findSystemChromium() {
  for (const program of systemPrograms) {
    const path = program.startsWith('/') ? program : await locate(program)
    if (path && (await works(path))) return path
  }
  return null
}

async function installFromSystem() {
  // Where this fails, the search finds nothing and the bundled one is next.
  return (await installPackages('Chromium', ['chromium'])) ? findSystemChromium() : null
}

async function unpackBundled() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const program = await step('Unpacking the bundled Chromium', bundledChromium)
  return (await works(program)) ? program : null
}

function fail() {
  throw new SetupError(
    'The browser journeys need Chromium or Google Chrome, and none was found: ' +
      'install one, or set CHROMIUM_PATH to the program.',
  )
}

async function locate(program) {
  const { exitCode, output } = await runQuietly('/bin/sh', ['-c', `command -v ${program}`])
  return exitCode === 0 ? output.trim() : null
}

async function works(program) {
  try {
    const { exitCode, output } = await runQuietly(program, ['--version'])
    return exitCode === 0 && /chrom/i.test(output)
  } catch {
    // Missing, or made for another system.
    return false
  }
}
