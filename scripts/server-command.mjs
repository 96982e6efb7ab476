import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project-paths.mjs'

export const serverEntry = 'server/main.ts'

/** Node's arguments in front of the server's own. */
export function nodeArguments() {
  const settings = join(root, '.env')
  return [
    // Notes on features that are still called experimental are no news to whom the terminal belongs.
    '--disable-warning=ExperimentalWarning',
    // What is set in the environment wins over the file.
    ...(existsSync(settings) ? [`--env-file=${settings}`] : []),
  ]
}
