// Chooses the Node that runs the server and the tools: the current one if it is new enough, otherwise the bundled one.
import { existsSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { ensureDependencies } from './install-dependencies.mjs'
import { modulesFolder } from './project-paths.mjs'
import { SetupError } from './setup-error.mjs'
import { packageLists } from './wanted-packages.mjs'

/**
 * Installs the packages if needed. `withTests` includes those of tests and checks. Returns the Node program, and an
 * environment in which `node` is that program.
 */
export async function prepareNode({ withTests = false } = {}) {
  const lists = needsBundledNode(process.versions.node, process.execPath) ? [packageLists.node] : []
  if (withTests) lists.push(packageLists.testing, packageLists.client)
  await ensureDependencies(lists)
  const bundled = join(modulesFolder, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const node = chooseNode(process.versions.node, process.execPath, existsSync(bundled) && bundled)
  const path = [dirname(node), join(modulesFolder, '.bin'), process.env.PATH ?? '']
  return { node, env: { ...process.env, PATH: path.join(delimiter) } }
}

/**
 * Returns whether the bundled Node must be installed: the host's Node is too old, or this process is the bundled
 * Node, which `npm run` finds before the host's. In that case an installation without it would delete the running
 * program.
 */
export function needsBundledNode(version, program, folder = modulesFolder) {
  return !isNewEnough(version) || program.startsWith(join(folder, sep))
}

export function chooseNode(hostVersion, hostProgram, bundledProgram) {
  if (isNewEnough(hostVersion)) return hostProgram
  if (bundledProgram) return bundledProgram
  throw new SetupError(
    `Velour runs on Node 22.22 or newer, and this is Node ${hostVersion}. ` +
      `None is bundled for ${process.platform} on ${process.arch}: install Node 24 and run the command again.`,
  )
}

/** Whether this Node runs TypeScript files without a build. Excludes Node 23, which is no longer supported. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return (major === 22 && minor >= 22) || major >= 24
}
