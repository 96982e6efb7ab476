// Compares the folders with scripts/folder-order.mjs. With --draw, draws them in docs/architecture.md instead. Runs
// in its own process, because the parser needs the Node version that the server runs on.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawPictures, findFaults, readFolders } from './folder-graph.mjs'
import { root } from './project-paths.mjs'

const { imports, sources } = readFolders(root)
if (process.argv.includes('--draw')) {
  const page = join(root, 'docs', 'architecture.md')
  writeFileSync(page, drawPictures(readFileSync(page, 'utf8'), imports))
} else {
  const faults = findFaults(imports, sources)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
