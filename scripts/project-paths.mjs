import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const modulesFolder = join(root, 'node_modules')
export const distFolder = join(root, 'dist')

/** The JavaScript file behind a command of an installed package. */
export const toolEntries = {
  vite: join(modulesFolder, 'vite', 'bin', 'vite.js'),
  vitest: join(modulesFolder, 'vitest', 'vitest.mjs'),
  tsc: join(modulesFolder, 'typescript', 'bin', 'tsc'),
  oxlint: join(modulesFolder, 'oxlint', 'bin', 'oxlint'),
  oxfmt: join(modulesFolder, 'oxfmt', 'bin', 'oxfmt'),
  knip: join(modulesFolder, 'knip', 'bin', 'knip.js'),
}
