// `npm run dev`: starts the server, which restarts when its code changes, and Vite, which serves the web app with hot
// reload.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { prepareNode } from './node-runtime.mjs'
import { root, toolEntries } from './project-paths.mjs'
import { superviseChildren } from './run-process.mjs'
import { nodeArguments, serverEntry } from './server-command.mjs'

export async function run() {
  const { node, env } = await prepareNode()
  const port = env.PORT ?? '3000'
  const webPort = await findFreePort(5173)
  // PUBLIC_URL is the address of Vite, because the browser shows it. Links in emails and the origin check of requests
  // use it.
  const serverEnv = { PUBLIC_URL: `http://127.0.0.1:${webPort}`, ...env, PORT: port }
  const start = (args, childEnv) =>
    spawn(node, args, { cwd: root, env: childEnv, stdio: 'inherit' })
  const vite = ['--port', String(webPort), '--strictPort', '--clearScreen', 'false']
  return superviseChildren([
    start(['--watch', '--watch-preserve-output', ...nodeArguments(), serverEntry], serverEnv),
    start([toolEntries.vite, ...vite], { ...env, PORT: port }),
  ])
}

/** Returns the first free port, counting up from `first`. */
export async function findFreePort(first) {
  for (let port = first; ; port++) if (await isFree(port)) return port
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
