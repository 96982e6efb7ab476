// Detects outdated build output by the content of its sources. A checkout or a changed file time doesn't cause a
// rebuild.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * SHA-256 over the names and contents of `paths`, which are files and folders below `root`. Missing ones are included
 * as missing.
 */
export function computeFingerprint(root, paths, isIgnored = () => false) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of listFiles(join(root, path))) {
      const name = relative(root, file).split(sep).join('/')
      if (isIgnored(name)) continue
      const content = readFileSync(file)
      hash.update(`${name}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).sort()
  return names.flatMap((name) => listFiles(join(path, name)))
}

/** Returns the fingerprint that the last successful run stored, or null. */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}
