// Installs what package-lock.json says, when node_modules is missing or was made from another one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { modulesFolder, root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

const stampFile = join(modulesFolder, '.velour-installed')

export async function ensureDependencies() {
  const wanted = `${fingerprint(root, ['package-lock.json'])} ${process.platform}-${process.arch}`
  if (readStamp(stampFile) === wanted) return
  if (!isInstalledByHand()) await step('Installing dependencies', install)
  writeStamp(wanted)
}

/**
 * True when `installed` (npm's record inside node_modules) holds just what `wanted` (package-lock.json) asks for.
 * Optional packages of other platforms are not installed.
 */
export function matchesLock(wanted, installed) {
  const isOptional = (entry) => entry.optional || entry.devOptional || entry.peer
  const isThere = ([path, entry]) => {
    const found = installed.packages[path]
    return found ? found.version === entry.version : isOptional(entry)
  }
  const wantedEntries = Object.entries(wanted.packages).filter(([path]) => path !== '')
  const isWanted = (path) => Object.hasOwn(wanted.packages, path)
  return wantedEntries.every(isThere) && Object.keys(installed.packages).every(isWanted)
}

function isInstalledByHand() {
  const record = join(modulesFolder, '.package-lock.json')
  // npm writes its record last, so it also says that the installation was finished.
  if (!existsSync(record)) return false
  return matchesLock(readJson(join(root, 'package-lock.json')), readJson(record))
}

async function install() {
  // NODE_ENV=production would leave out what the web app is built with. Warnings (such as an engine newer than the
  // Node at hand: the right one is among the packages) would only confuse.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const { exitCode, output } = npm?.endsWith('.js')
    ? await runQuietly(process.execPath, [npm, ...args])
    : await runQuietly('npm', args)
  if (exitCode === 0) return
  throw new SetupError(`Installing the dependencies failed:\n\n${output.trim()}`)
}

function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, `${stamp}\n`)
  } catch (error) {
    // A read-only node_modules is looked through again at the next start.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
