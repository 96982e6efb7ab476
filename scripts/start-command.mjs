// `npm start`: installs what is missing, builds the web app if needed, and starts the server. Works in a fresh clone.
import { ensureWebBuild } from './build-web.mjs'
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments, serverEntry, serverEnvironment } from './server-command.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  await ensureWebBuild({ node, env })
  return runInForeground(node, [...nodeArguments(), serverEntry, ...args], {
    env: { ...serverEnvironment, ...env },
  })
}
