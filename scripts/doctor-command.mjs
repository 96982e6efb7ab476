// `npm run doctor`: checks everything that the service depends on and prints one line per check.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  return runInForeground(node, [...nodeArguments(), 'server/commands/doctor-main.ts', ...args], {
    env,
  })
}
