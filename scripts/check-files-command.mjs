// `npm run check-files`: compares all stored files with the database. With `-- --repair`, recreates missing and
// damaged files where possible.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  const program = ['server/commands/check-files-main.ts', ...args]
  return runInForeground(node, [...nodeArguments(), ...program], { env })
}
