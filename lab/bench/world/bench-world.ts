// A service with generated data. The database is started by this process, so that benchmarks can also run plain SQL.
// The server runs in a process of its own, as in production.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import {
  benchAdmin,
  benchMember,
  benchPassword,
  type DataSetName,
  fillDataSet,
} from './data-set.ts'
import { startServer } from './server-process.ts'
import { buildSessionCookie } from '../../harness/session-cookie.ts'

export interface BenchWorld {
  dataSet: DataSetName
  /** Folder with the data sets of all sizes. */
  folder: string
  /** Folder in which the server stores audio files. */
  storageFolder: string
  database: Pick<EmbeddedPostgres, 'app' | 'owner'>
  url: string
  serverPid: number
  /** The Cookie headers of the admin and the member. */
  admin: string
  member: string
  /**
   * Signs in `count` Premium members and returns their cookies. One member is not enough, because a plan limits how
   * many streams one account can play.
   */
  signInListeners: (count: number) => Promise<string[]>
  /** How long one measurement takes. */
  budgetMs: number
  print: (line: string) => void
  close: () => Promise<void>
}

const comparisonPollMs = 1_000

const log = { info() {}, warn: console.warn, error: console.error }

/** Opens the service. The data set stays in `folder` for the next run. */
export async function openBenchWorld(options: {
  folder: string
  dataSet: DataSetName
  budgetMs: number
  print: (line: string) => void
}): Promise<BenchWorld> {
  const { dataSet, print } = options
  const dataDir = join(options.folder, dataSet)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  try {
    await prepareDatabase(postgres, { log })
    await fillDataSet({ connectionString: postgres.owner, name: dataSet, print })
    const server = await startServer({
      DATA_DIR: join(dataDir, 'server'),
      DATABASE_URL: postgres.app,
      DATABASE_OWNER_URL: postgres.owner,
    })
    // A smoke run measures nothing, so it doesn't have to wait.
    if (dataSet !== 'smoke') await waitForBackgroundWork(postgres.owner, print)
    const [admin, member] = [
      await signIn(server.url, benchAdmin),
      await signIn(server.url, benchMember),
    ]
    // A confirmation, which deletions and exports require, expires after 10 minutes. A run takes longer.
    await queryAt(postgres.owner, `update sessions set confirmed_at = now() + interval '1 day'`, [])
    return {
      dataSet,
      folder: options.folder,
      storageFolder: join(dataDir, 'server', 'storage'),
      budgetMs: options.budgetMs,
      database: postgres,
      print,
      url: server.url,
      serverPid: server.pid,
      admin,
      member,
      async signInListeners(count) {
        const secret = await readFile(join(dataDir, 'server', 'secret'), 'utf8')
        return openSessions(postgres.owner, { count, secret: secret.trim() })
      },
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

/**
 * Waits until the similar tracks of a new data set are computed. That uses a core for minutes, which would slow down
 * every response.
 */
async function waitForBackgroundWork(
  connectionString: string,
  print: (line: string) => void,
): Promise<void> {
  const startMs = performance.now()
  const isComparing = async () => {
    const rows = await queryAt<{ is_comparing: boolean }>(
      connectionString,
      'select exists (select from neighbour_updates) as is_comparing',
      [],
    )
    return rows[0]!.is_comparing
  }
  if (!(await isComparing())) return
  print('waiting until the tracks are compared')
  while (await isComparing()) await sleep(comparisonPollMs)
  print(`tracks compared: ${Math.round((performance.now() - startMs) / 1000)} s`)
}

/** Inserts sessions by SQL, because checking a password deliberately takes a tenth of a second. */
async function openSessions(
  connectionString: string,
  { count, secret }: { count: number; secret: string },
): Promise<string[]> {
  const rows = await queryAt<{ token: string }>(
    connectionString,
    `insert into sessions (user_id, token, expires_at)
     select id, replace(gen_random_uuid()::text, '-', ''), now() + interval '29 days 23 hours'
       from profiles
      where subscription_status = 'active' and banned_at is null and deletion_requested_at is null
      order by created_at limit $1
     returning token`,
    [count],
  )
  if (rows.length < count) throw new Error(`Only ${rows.length} of ${count} listeners have Premium`)
  return rows.map(({ token }) => buildSessionCookie(token, secret))
}

export async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: benchPassword }),
  })
  if (!response.ok) throw new Error(`Signing in returned ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
