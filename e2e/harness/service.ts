// Starts, stops and kills a server process with its own data folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const admin = { email: 'owner@velour.test', password: 'an-owner-password' }

export interface Service {
  url: string
  dataDir: string
  /** Id of the running process, otherwise of the last one. */
  pid: () => number
  /** Sends SIGTERM and waits for the process to exit. Returns its exit code. */
  stop: () => Promise<number | null>
  /** Sends SIGKILL. */
  kill: () => Promise<void>
  /** Starts the server again with the same folder and URL, so that open pages can reconnect. */
  start: () => Promise<void>
  /** The output of all processes of this service so far. */
  output: () => string
  /** Stops the server if it is running, and deletes its folder. */
  remove: () => Promise<void>
}

const main = join(import.meta.dirname, '..', '..', 'server', 'main.ts')
const startTimeoutMs = 60_000
/** Rare enough to stay below the rate limit for requests without a session. */
const pollMs = 200

/** Starts a server on a free port and waits until it is ready. Uses a new folder unless one is given. */
export async function startService(
  options: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'velour-e2e-')))
  const port = await freePort()
  const env = { ...options.env, PORT: String(port), DATA_DIR: dataDir }
  let current = await startProcess(env)
  let earlier = ''
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    pid: () => current.pid,
    stop: () => current.end('SIGTERM'),
    async kill() {
      await current.end('SIGKILL')
    },
    async start() {
      const next = await startProcess(env)
      earlier += current.output()
      current = next
    },
    output: () => earlier + current.output(),
    async remove() {
      await current.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts one process and waits until it is ready. */
async function startProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      FFMPEG_PATH: process.env['FFMPEG_PATH'],
      DEMO: 'off',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()))
  }
  const ended = once(child, 'exit') as Promise<[number | null]>
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`The server stopped during startup:\n${output}`)
    return output.includes('is ready at')
  }, startTimeoutMs)
  return {
    pid: child.pid!,
    output: () => output,
    async end(signal: 'SIGTERM' | 'SIGKILL') {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

/** Polls until the condition is true. Throws after `timeoutMs`. */
export async function waitUntil(
  isSo: () => Promise<boolean> | boolean,
  timeoutMs: number,
  what = 'the condition',
): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}`)
    await sleep(pollMs)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (!address || typeof address === 'string') throw new Error('no port')
  return address.port
}
