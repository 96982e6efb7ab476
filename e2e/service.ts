// A real Velour process with a data folder of its own, started, stopped and killed like an owner's.
import { spawn, type ChildProcess } from 'node:child_process'
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
  pid: number
  /** SIGTERM, and wait for its orderly end. Gives the exit code. */
  stop: () => Promise<number | null>
  /** kill -9. */
  kill: () => Promise<void>
  /** What it printed so far. */
  output: () => string
}

const main = join(import.meta.dirname, '..', 'server', 'main.ts')
const startTimeoutMs = 60_000
/** Slow enough for the limit on visitors without a session. */
const pollMs = 200

export async function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'velour-e2e-'))
}

/** Starts on a free port and waits until it says that it is ready. */
export async function startService(options: {
  dataDir: string
  env?: Record<string, string>
  /** Where an earlier start of it was, for pages that are still open; a free port by default. */
  port?: number
}): Promise<Service> {
  const port = options.port ?? (await freePort())
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      FFMPEG_PATH: process.env['FFMPEG_PATH'],
      DEMO: 'off',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...options.env,
      PORT: String(port),
      DATA_DIR: options.dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()))
  }
  const end = once(child, 'exit') as Promise<[number | null]>
  const url = `http://127.0.0.1:${port}`
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`The server stopped at its start:\n${output}`)
    return output.includes('is ready at')
  }, startTimeoutMs)
  return {
    url,
    dataDir: options.dataDir,
    pid: child.pid!,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      return (await end)[0]
    },
    kill: () => killHard(child, end),
  }
}

async function killHard(child: ChildProcess, end: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await end
}

/** Stops whatever still runs on the folder, and removes it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true })
}

/** Asks until the answer is yes. Throws after `timeoutMs`. */
export async function waitUntil(
  isSo: () => Promise<boolean> | boolean,
  timeoutMs: number,
  what = 'the condition',
): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`)
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
