// `npm run format`: formats all files and draws the folders in docs/architecture.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareNode } from './node-runtime.mjs'
import { root, toolEntries } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  const { drawPictures, readFolders } = await import('./folder-graph.mjs')
  const page = join(root, 'docs', 'architecture.md')
  writeFileSync(page, drawPictures(readFileSync(page, 'utf8'), readFolders(root).imports))
  return runInForeground(node, [toolEntries.oxfmt, ...args], { env })
}
