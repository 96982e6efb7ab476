// Installs the packages of package-lock.json when node_modules is missing or doesn't match it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { join } from 'node:path'
import { computeFingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { modulesFolder, root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'
import { packageLists, listPackages } from './wanted-packages.mjs'

const stampFile = join(modulesFolder, '.velour-installed')

/** Installs the packages of the root and of `lists` (see wanted-packages.mjs), unless they are installed already. */
export async function ensureDependencies(lists) {
  const lock = `${computeFingerprint(root, ['package-lock.json'])} ${process.platform}-${process.arch}`
  const there = readInstalled()
  if (there.lock === lock && lists.every((list) => there.lists.includes(list))) return
  // npm removes packages that it isn't asked for, so also ask for the packages of earlier runs, such as those of the
  // tests.
  const wanted = [...new Set([...there.lists, ...lists])]
  if (!isInstalledByHand(wanted)) {
    refuseFullDisk(await readFreeBytes(), neededBytes(wanted))
    const silentRegistry = await findSilentRegistry()
    const work = () => install(wanted, silentRegistry)
    await step('Installing dependencies', work, createCounter(wanted))
  }
  writeStamp([lock, ...wanted].join(' '))
}

function readInstalled() {
  const [hash, platform, ...lists] = (readStamp(stampFile) ?? '').split(' ')
  const known = lists.filter((list) => Object.values(packageLists).includes(list))
  return { lock: `${hash} ${platform}`, lists: known }
}

/**
 * Returns whether `installed` (npm's record inside node_modules) contains exactly the packages of the root and of
 * `lists` that package-lock.json (`lock`) requires. Optional packages of other platforms are not installed.
 */
export function matchesLock(lock, installed, lists = []) {
  const isThere = (path) => {
    const found = installed.packages[path]
    return found ? found.version === lock.packages[path].version : isOptional(lock.packages[path])
  }
  const isKnown = (path) => Object.hasOwn(lock.packages, path)
  return (
    [...listPackages(lock, lists)].every(isThere) && Object.keys(installed.packages).every(isKnown)
  )
}

/**
 * Returns true for optional packages, unless they are declared for this platform. Packages that depend on the C library
 * count as optional, because only npm detects which one is installed.
 */
function isOptional({ optional, devOptional, peer, os, cpu, libc }) {
  const isForThisPlatform =
    os &&
    cpu &&
    !libc &&
    [os].flat().includes(process.platform) &&
    [cpu].flat().includes(process.arch)
  return Boolean(optional || devOptional || peer) && !isForThisPlatform
}

function isInstalledByHand(lists) {
  const record = join(modulesFolder, '.package-lock.json')
  // npm writes its record last, so if it exists, the installation has completed.
  if (!existsSync(record)) return false
  return matchesLock(readLock(), readJson(record), lists)
}

/** Counts the packages that are installed so far, among those that every machine needs. */
export function createCounter(lists, folder = root) {
  const lock = readLock()
  const needed = [...listPackages(lock, lists)]
    .filter((path) => !isOptional(lock.packages[path]))
    .map((path) => join(folder, path, 'package.json'))
  return () => `${needed.filter(existsSync).length} of ${needed.length} packages`
}

async function readFreeBytes() {
  // Node has `statfs` since 18.15.
  if (!files.statfs) return Infinity
  const { bavail, bsize } = await files.statfs(root)
  return bavail * bsize
}

/**
 * Checked before the installation, because npm continues for minutes on a full disk and shows the warning among many
 * others.
 */
export function refuseFullDisk(freeBytes, neededBytes) {
  if (freeBytes >= neededBytes) return
  const megabytes = (bytes) => Math.round(bytes / 1e6)
  throw new SetupError(
    `There are ${megabytes(freeBytes)} MB free on the disk of ${root}, and the packages need ${megabytes(neededBytes)} MB: free some space there.`,
  )
}

const fullBytes = 50_000_000
const neededBytes = (lists) => (lists.includes(packageLists.testing) ? 1_200_000_000 : 700_000_000)
const registryTimeoutMs = 10_000

/**
 * Returns the URL of the registry if it doesn't respond, and null if it does. Sends a single request, whereas npm
 * would retry for minutes. Behind a proxy the check is left to npm.
 */
export async function findSilentRegistry(env = process.env) {
  const isProxied = Object.keys(env).some((name) => /^(npm_config_)?(https?_)?proxy$/i.test(name))
  // npm's settings are only known when npm started this process.
  if (isProxied || !env.npm_config_user_agent) return null
  const registry = env.npm_config_registry || (await readNpmRegistry())
  if (!registry) return null
  try {
    await fetch(registry, { method: 'HEAD', signal: AbortSignal.timeout(registryTimeoutMs) })
    return null
  } catch {
    return registry
  }
}

async function readNpmRegistry() {
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

async function install(lists, silentRegistry) {
  // Without this, NODE_ENV=production would leave out the build tools of the web app. npm's warnings are hidden
  // because they confuse: for example, npm warns that this Node is too old, although a newer one is among the
  // packages.
  const args = [
    'ci',
    ...(lists.length === 0 ? ['--workspaces=false'] : ['--include-workspace-root']),
    ...lists.map((list) => `--workspace=${list}`),
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // If the registry doesn't respond, all packages may still be in npm's cache.
    ...(silentRegistry ? ['--offline'] : []),
  ]
  const { exitCode, output } = await runNpm(args)
  if (exitCode === 0) return removeNodeHeaders()
  if (silentRegistry) {
    throw new SetupError(
      `The packages cannot be installed: ${silentRegistry} does not answer. Connect this machine to the internet, ` +
        'or set HTTPS_PROXY or npm_config_registry, and run the command again.',
    )
  }
  if ((await readFreeBytes()) < fullBytes) {
    throw new SetupError(
      `The disk of ${root} became full while the packages were installed: free some space there.`,
    )
  }
  throw new SetupError(`Installing the dependencies failed:\n\n${output.trim()}`)
}

/** The headers take up a third of the Node package. They are only needed to compile native addons. */
function removeNodeHeaders() {
  const folder = `node-${process.platform}-${process.arch}`
  rmSync(join(modulesFolder, folder, 'include'), { recursive: true, force: true })
}

function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, `${stamp}\n`)
  } catch (error) {
    // Ignored if node_modules is read-only. The next start checks node_modules again.
    if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error
  }
}

function readLock() {
  return readJson(join(root, 'package-lock.json'))
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
