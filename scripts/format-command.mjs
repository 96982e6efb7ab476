import { prepareNode } from './node-runtime.mjs'
import { toolEntries } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  return runInForeground(node, [toolEntries.oxfmt, ...args], { env })
}
