// `npm run scaling`: regenerates the tables of docs/scaling.md from the measurements of lab/capacity/capacity.ts.
import { join } from 'node:path'
import { root } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'

export async function run() {
  const program = join(root, 'lab', 'capacity', 'write-scaling-page.mjs')
  return runInForeground(process.execPath, [program], { env: process.env })
}
