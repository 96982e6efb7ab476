// `npm run export -- FOLDER`: writes the whole catalogue to a folder, with or without a running server.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  const program = ['server/commands/export-main.ts', ...args]
  return runInForeground(node, [...nodeArguments(), ...program], { env })
}
