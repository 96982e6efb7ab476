// Decides which modules share a file. By default the bundler emits one file for each set of screens that share a
// module. Browse would then load more than a hundred files, and on a phone the requests cost more than the bytes.
import type { Rolldown } from 'vite'

type Group = Rolldown.CodeSplittingGroup
type Modules = Parameters<Rolldown.CodeSplittingNameFunction>[1]

/**
 * Libraries that every screen loads. They share one file, which compresses better and stays cached when the app
 * changes.
 */
const foundation =
  /\/node_modules\/(?:react|react-dom|scheduler|react-router|zustand|@tanstack\/(?:query-core|react-query))\//
/** Modules of these libraries that only one screen uses. They are not part of the shared file. */
const ofOneScreen = /\/(?:useQueries|queriesObserver)\.js$/

/**
 * The schema library, and a contract module that uses it. The first screens don't load them, because the web app
 * validates only data that it has stored in the browser.
 */
const schemas = /\/node_modules\/zod\/|\/contract\/play-context\.ts$/

const entry = '/web/main.tsx'
const landing = '/web/features/landing/landing-screen.tsx'
/** The Browse screen, where members start. The player and its first track load after it. */
const browse = '/web/features/browse/browse-page.tsx'
const player = '/web/app/liking-player-bar.tsx'
const playerBar = '/web/features/player/bar/loaded-player.tsx'
/**
 * A module of Browse goes into a file shared with the back office if at least this many back-office screens import it.
 */
const minAdminScreens = 3

/**
 * The shared files, those of highest priority first. A file also contains the imports of its modules, unless a file of
 * higher priority has them.
 */
const files = [
  'shared-parts',
  'page-parts',
  'app',
  'landing-parts',
  'controls',
  'music',
  'player',
  'player-parts',
  'icons',
] as const
type File = (typeof files)[number]

export function chunkGroups(): Group[] {
  const known = new Map<string, File | null>()
  const fileOf = (id: string, modules: Modules) => {
    const file = known.has(id) ? known.get(id) : nameFile(id, modules)
    known.set(id, file ?? null)
    return file
  }
  return [
    {
      name: 'foundation',
      test: (id) => foundation.test(id) && !ofOneScreen.test(id),
      priority: files.length + 1,
    },
    { name: 'schemas', test: schemas, priority: files.length + 1 },
    ...files.map((file, at) => ({
      debugName: file,
      name: (id: string, modules: Modules) => (fileOf(id, modules) === file ? file : null),
      priority: files.length - at,
    })),
  ]
}

/** Returns the name of the shared file for this module; null if the bundler should decide. */
function nameFile(id: string, modules: Modules): File | null {
  if (ofOneScreen.test(id)) return null
  const roots = findRoots(id, modules)
  const has = (path: string) => roots.some((root) => root.endsWith(path))
  const others = roots.filter((root) => modules.getModuleInfo(root)?.isEntry && !isApp(root))
  // Public pages and other pages without the app also load this module.
  if (others.length > 0) {
    if (roots.length > others.length) return 'shared-parts'
    return roots.length > 1 ? 'page-parts' : null
  }
  if (roots.some(isApp)) return 'app'
  if (has(landing)) return roots.length > 1 ? 'landing-parts' : null
  if (roots.length === 1) return null
  if (!has(browse)) {
    if (has(player)) return 'player'
    if (has(playerBar)) return 'player-parts'
    // Without a file for all icons, the bundler would emit one file for each set of screens that share an icon.
    return id.startsWith('~icons/') ? 'icons' : null
  }
  const adminScreens = roots.filter((root) => root.includes('/web/admin/'))
  return adminScreens.length >= minAdminScreens ? 'controls' : 'music'
}

const isApp = (id: string) => id.endsWith(entry) || id.endsWith('/web/index.html')

/** Finds the entries and lazily loaded modules whose static imports reach this module. */
function findRoots(id: string, modules: Modules): string[] {
  const seen = new Set([id])
  const roots: string[] = []
  for (const one of seen) {
    const info = modules.getModuleInfo(one)
    if (!info) continue
    if (info.isEntry || info.dynamicImporters.length > 0) roots.push(one)
    for (const importer of info.importers) seen.add(importer)
  }
  return roots
}
