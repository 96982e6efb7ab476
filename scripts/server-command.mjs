import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project-paths.mjs'

export const serverEntry = 'server/main.ts'

/**
 * Notes on features that are still called experimental are no news to whom the terminal belongs. Left alone, Node lets
 * the space of young objects grow to 128 MB when much goes on, and that of old ones fourfold before it looks for what is
 * not needed any more; it keeps both. The second figure is in percent.
 */
const always = JSON.parse(readFileSync(new URL('node-arguments.json', import.meta.url), 'utf8'))

/** Node's arguments in front of the server's own. */
export function nodeArguments() {
  const settings = join(root, '.env')
  return [
    ...always,
    // What is set in the environment wins over the file.
    ...(existsSync(settings) ? [`--env-file=${settings}`] : []),
  ]
}
