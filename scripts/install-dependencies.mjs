// Installs the packages of package-lock.json when node_modules is missing or doesn't match it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
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
  if (!isInstalledByHand()) {
    refuseFullDisk(await readFreeBytes())
    const silentRegistry = await findSilentRegistry()
    await step('Installing dependencies', () => install(silentRegistry), createCounter())
  }
  writeStamp(wanted)
}

/**
 * Returns whether `installed` (npm's record inside node_modules) matches `wanted` (package-lock.json).
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
  // npm writes its record last, so its presence also means that the installation completed.
  if (!existsSync(record)) return false
  return matchesLock(readJson(join(root, 'package-lock.json')), readJson(record))
}

/** Counts the installed packages among those that every machine needs. */
export function createCounter(folder = root) {
  const { packages } = readJson(join(folder, 'package-lock.json'))
  const needed = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && !entry.peer)
    .map(([path]) => join(folder, path, 'package.json'))
  return () => `${needed.filter(existsSync).length} of ${needed.length} packages`
}

async function readFreeBytes() {
  // Node has `statfs` since 18.15.
  if (!files.statfs) return Infinity
  const { bavail, bsize } = await files.statfs(root)
  return bavail * bsize
}

/** Checked up front, because npm hides its own warning about a full disk among others and continues for minutes. */
export function refuseFullDisk(freeBytes) {
  if (freeBytes >= neededBytes) return
  const megabytes = (bytes) => Math.round(bytes / 1e6)
  throw new SetupError(
    `There are ${megabytes(freeBytes)} MB free on the disk of ${root}, and the packages need ${megabytes(neededBytes)} MB: make room there.`,
  )
}

const fullBytes = 50_000_000
const neededBytes = 1_200_000_000
const registryTimeoutMs = 10_000

/**
 * Returns the URL of the registry if it doesn't respond, and null if it does. Sends one request, because npm would
 * retry for minutes. Skips the check behind a proxy and leaves it to npm.
 */
export async function findSilentRegistry(env = process.env) {
  const isProxied = Object.keys(env).some((name) => /^(npm_config_)?(https?_)?proxy$/i.test(name))
  // npm's settings are only known when npm started this process.
  if (isProxied || !env.npm_config_user_agent) return null
  const registry = env.npm_config_registry || (await askNpmForRegistry())
  if (!registry) return null
  try {
    await fetch(registry, { method: 'HEAD', signal: AbortSignal.timeout(registryTimeoutMs) })
    return null
  } catch {
    return registry
  }
}

async function askNpmForRegistry() {
  const { output } = await runNpm(['config', 'get', 'registry', '--loglevel=silent'])
  const lines = output.split('\n').map((line) => line.trim())
  return lines.filter((line) => /^https?:/.test(line)).at(-1)
}

function runNpm(args) {
  const npm = process.env.npm_execpath
  return npm?.endsWith('.js')
    ? runQuietly(process.execPath, [npm, ...args])
    : runQuietly('npm', args)
}

async function install(silentRegistry) {
  // NODE_ENV=production would leave out the build tools of the web app. npm's warnings would only confuse: for
  // example, it warns that this Node is too old, although the right one is among the packages.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // All packages may be in npm's cache.
    ...(silentRegistry ? ['--offline'] : []),
  ]
  const { exitCode, output } = await runNpm(args)
  if (exitCode === 0) return
  if (silentRegistry) {
    throw new SetupError(
      `The packages cannot be installed: ${silentRegistry} does not answer. Connect this machine to the internet, ` +
        'or set HTTPS_PROXY or npm_config_registry, and run the command again.',
    )
  }
  if ((await readFreeBytes()) < fullBytes) {
    throw new SetupError(
      `The disk of ${root} became full while the packages were installed: make room there.`,
    )
  }
  throw new SetupError(`Installing the dependencies failed:\n\n${output.trim()}`)
}

function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, `${stamp}\n`)
  } catch (error) {
    // If node_modules is read-only, the next start checks it again.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
