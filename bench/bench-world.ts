// A whole Velour over the generated data: its database in this process, so that SQL can be measured beside it, and
// its server in another, as an owner runs it.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareDatabase } from '#server/db/app-rights.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts'
import {
  benchAdmin,
  benchMember,
  benchPassword,
  type DataSetName,
  fillDataSet,
} from './data-set.ts'

export interface BenchWorld {
  dataSet: DataSetName
  database: Pick<EmbeddedPostgres, 'app' | 'owner'>
  url: string
  serverPid: number
  /** Cookies of people who are signed in. */
  admin: string
  member: string
  /** How long to measure one thing. */
  budgetMs: number
  say: (line: string) => void
  close: () => Promise<void>
}

const log = { info() {}, warn: console.warn, error: console.error }
const serverEntry = join(import.meta.dirname, '..', 'server', 'main.ts')
const startTimeoutMs = 60_000

/** `folder` keeps the data sets from one run to the next. */
export async function openBenchWorld(options: {
  folder: string
  dataSet: DataSetName
  budgetMs: number
  say: (line: string) => void
}): Promise<BenchWorld> {
  const { dataSet, say } = options
  const dataDir = join(options.folder, dataSet)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  try {
    await prepareDatabase(postgres, { log })
    await fillDataSet({ connectionString: postgres.owner, name: dataSet, say })
    const server = await startServer(postgres, join(dataDir, 'server'))
    return {
      dataSet,
      budgetMs: options.budgetMs,
      database: postgres,
      say,
      url: server.url,
      serverPid: server.child.pid!,
      admin: await signIn(server.url, benchAdmin),
      member: await signIn(server.url, benchMember),
      async close() {
        const exit = once(server.child, 'exit')
        server.child.kill('SIGTERM')
        await exit
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function startServer(database: EmbeddedPostgres, dataDir: string) {
  const port = await freePort()
  const child = fork(serverEntry, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.app,
      DATABASE_OWNER_URL: database.owner,
      DEMO: 'off',
      LOG_LEVEL: 'error',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(child, url)
  return { child, url }
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => null)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error('The server did not get ready')
}

async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: benchPassword }),
  })
  if (!response.ok) throw new Error(`Signing in answered ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
