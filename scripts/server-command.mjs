import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project-paths.mjs'

export const serverEntry = 'server/main.ts'

/**
 * Node's arguments for the server. They hide warnings about experimental features, which don't help the owner, and
 * limit memory: under load, Node lets the young generation grow to 128 MB and the old one fourfold before it collects
 * garbage, and never returns that memory to the system. The semi-space size is in MB, the heap growth in percent.
 */
const always = JSON.parse(readFileSync(new URL('node-arguments.json', import.meta.url), 'utf8'))

/**
 * With more arenas, glibc keeps about 9 MB that the server's threads have freed. Other C libraries ignore the
 * variable.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2' }

/** Returns Node's arguments, which come before the server's own arguments. */
export function nodeArguments() {
  const settings = join(root, '.env')
  return [
    ...always,
    // Environment variables take precedence over the .env file.
    ...(existsSync(settings) ? [`--env-file=${settings}`] : []),
  ]
}
