// A whole Velour over the generated data: its database in this process, so that SQL can be measured beside it, and
// its server in another, as an owner runs it.
import { join } from 'node:path'
import { prepareDatabase } from '#server/db/app-rights.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts'
import {
  benchAdmin,
  benchMember,
  benchPassword,
  type DataSetName,
  fillDataSet,
} from './data-set.ts'
import { startServer } from './server-process.ts'

export interface BenchWorld {
  dataSet: DataSetName
  /** Where data sets of all sizes are kept. */
  folder: string
  /** Where the server keeps recordings. */
  storageFolder: string
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
    const server = await startServer({
      DATA_DIR: join(dataDir, 'server'),
      DATABASE_URL: postgres.app,
      DATABASE_OWNER_URL: postgres.owner,
    })
    return {
      dataSet,
      folder: options.folder,
      storageFolder: join(dataDir, 'server', 'storage'),
      budgetMs: options.budgetMs,
      database: postgres,
      say,
      url: server.url,
      serverPid: server.pid,
      admin: await signIn(server.url, benchAdmin),
      member: await signIn(server.url, benchMember),
      async close() {
        await server.stop()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

export async function signIn(url: string, email: string): Promise<string> {
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
