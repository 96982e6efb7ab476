// Which packages of package-lock.json a command needs. `npm start` needs the packages of package.json, and those of
// `packages/node` if the installed Node is too old. Tests and checks also need those of `packages/testing` and of
// `packages/client`, whose generator needs an older TypeScript.

/** Folders that have their own list of packages, in addition to the root. */
export const packageLists = {
  node: 'packages/node',
  testing: 'packages/testing',
  client: 'packages/client',
}

/** Paths in the lock file (`node_modules/pg`) of all packages that the root and `lists` depend on. */
export function listPackages({ packages }, lists = []) {
  const found = new Set()
  const open = ['', ...lists]
  for (const path of open) {
    const names = dependencyNames(packages[path], path === '')
    for (const name of names) {
      const at = resolvePackage(packages, path, name)
      if (at === null || found.has(at)) continue
      found.add(at)
      open.push(at)
    }
  }
  return found
}

function dependencyNames(entry = {}, isRoot) {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = entry
  const own = { ...dependencies, ...optionalDependencies, ...peerDependencies }
  return Object.keys(isRoot ? { ...own, ...devDependencies } : own)
}

/** Resolves a package as Node does: searches the nearest `node_modules` first. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return null
  }
}

function parentOf(folder) {
  const end = folder.lastIndexOf('/node_modules/')
  return end === -1 ? '' : folder.slice(0, end)
}
