// Installs the system's PostgreSQL, which an owner may use instead of the embedded one. It usually has another major
// version, and includes programs that the bundled one lacks (psql, pg_basebackup).
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const versions = '/usr/lib/postgresql'

/** Throws a SetupError with instructions if PostgreSQL can't be installed. */
export async function ensurePostgresServer() {
  const isThere = () =>
    existsSync(versions) &&
    readdirSync(versions).some((name) => existsSync(join(versions, name, 'bin', 'pg_basebackup')))
  if (isThere()) return
  await installPackages('PostgreSQL', ['postgresql'])
  if (isThere()) return
  throw new SetupError(
    'The scale suites need a PostgreSQL server of the system: install postgresql.',
  )
}
