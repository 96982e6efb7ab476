// `npm run format`: formats all files and draws the folders in docs/architecture.md.
import { prepareNode } from './node-runtime.mjs'
import { toolEntries } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const { node, env } = await prepareNode({ withTests: true })
  await runInForeground(node, ['scripts/check-folders.mjs', '--draw'], { env })
  return runInForeground(node, [toolEntries.oxfmt, ...args], { env })
}
