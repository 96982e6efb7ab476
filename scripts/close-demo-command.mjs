// `npm run close-demo`: replaces the public demo password on every account that still has it.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run() {
  const { node, env } = await prepareNode()
  return runInForeground(node, [...nodeArguments(), 'server/commands/close-demo-main.ts'], { env })
}
