// Starts a PostgreSQL that is installed on this machine, instead of the embedded one, with the roles from the README.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  choosePostgresUser,
  buildCommandAs,
} from '#server/platform/embedded-postgres/postgres-user.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { freePort } from '#server/testing/storage/s3-server.ts'
import { waitUntil } from '../../e2e/harness/service.ts'

export interface SystemPostgres {
  /** The version, such as `15.18`. */
  version: string
  /** Connection strings for DATABASE_URL and DATABASE_OWNER_URL. */
  app: string
  owner: string
  stop: () => Promise<void>
}

const password = 'a-password-of-the-database'
const startTimeoutMs = 30_000
const versions = '/usr/lib/postgresql'

/**
 * Returns the folder with the programs of the oldest version that is installed. `npm run test:scale` installs one if it
 * is allowed to.
 */
export function findPostgresPrograms(): string {
  const names = existsSync(versions) ? readdirSync(versions) : []
  const folders = names
    .toSorted((a, b) => Number(a) - Number(b))
    .map((name) => join(versions, name, 'bin'))
  const found = folders.find((folder) => existsSync(join(folder, 'pg_basebackup')))
  if (!found) throw new Error('There is no PostgreSQL server of the system: install postgresql.')
  return found
}

export async function startSystemPostgres(): Promise<SystemPostgres> {
  const programs = findPostgresPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'velour-system-postgres-'))
  chmodSync(folder, 0o711)
  const user = choosePostgresUser(folder, join(programs, 'postgres'))
  const data = join(folder, 'data')
  mkdirSync(data)
  if (user) chownSync(data, user.uid, user.gid)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const making = buildCommandAs(user, join(programs, 'initdb'), [
    `--pgdata=${data}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  await promisify(execFile)(making.program, making.args, { ...making.options, cwd: '/' })
  const port = await freePort()
  const running = buildCommandAs(user, join(programs, 'postgres'), [
    `-D${data}`,
    `-cport=${port}`,
    '-clisten_addresses=127.0.0.1',
    '-cunix_socket_directories=',
    '-cfsync=off',
  ])
  const child = spawn(running.program, running.args, {
    ...running.options,
    cwd: '/',
    stdio: 'ignore',
  })
  const address = (role: string, name: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${name}`
  const superuser = address('postgres', 'postgres')
  const isThere = () =>
    queryAt(superuser, 'select').then(
      () => true,
      () => false,
    )
  await waitUntil(isThere, startTimeoutMs, 'the PostgreSQL of the system')
  for (const statement of readReadmeStatements()) await queryAt(superuser, statement)
  const [{ server_version = '' } = {}] = await queryAt(superuser, 'show server_version')
  return {
    version: String(server_version).split(' ')[0]!,
    app: address('velour_app', 'velour'),
    owner: address('velour_owner', 'velour'),
    async stop() {
      child.kill('SIGINT')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

function readReadmeStatements(): string[] {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? []
  return block.replaceAll('…', password).trim().split('\n')
}
