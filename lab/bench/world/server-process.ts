// Runs the server as in production: in a process of its own that gets its settings from the environment.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import nodeArguments from '../../../scripts/node-arguments.json' with { type: 'json' }

export interface ServerProcess {
  url: string
  pid: number
  /** Time from the start of the process to its first response with 200. */
  startMs: number
  stop: () => Promise<void>
}

const entry = join(import.meta.dirname, '..', '..', '..', 'server', 'main.ts')
const startTimeoutMs = 60_000
const pollMs = 20

export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = fork(entry, {
    execArgv: nodeArguments,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DEMO: 'off',
      LOG_LEVEL: 'error',
      // The same value as in `serverEnvironment` of scripts/server-command.mjs.
      MALLOC_ARENA_MAX: '2',
      // Accept an empty storage, because rows of the data set refer to files that don't exist.
      ACCEPT_NEW_STORAGE: 'on',
      ...env,
    },
  })
  while (!(await isReady(`${url}/readyz`))) {
    if (child.exitCode !== null || performance.now() - begun > startTimeoutMs) {
      child.kill()
      throw new Error('The server did not get ready')
    }
    await sleep(pollMs)
  }
  return {
    url,
    pid: child.pid!,
    startMs: performance.now() - begun,
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    // The server doesn't accept connections yet.
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
