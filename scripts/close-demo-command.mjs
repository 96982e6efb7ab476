// `npm run close-demo`: removes the public demo password from every account that has it.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run() {
  const { node, env } = await prepareNode()
  return runInForeground(node, [...nodeArguments(), 'server/commands/close-demo-main.ts'], { env })
}
