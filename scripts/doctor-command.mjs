// `npm run doctor`: checks everything that a service needs around it, one line each.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  return runInForeground(node, [...nodeArguments(), 'server/commands/doctor-main.ts', ...args], {
    env,
  })
}
