// Checks of `npm run doctor` for the database: connection, roles, schema and SECRET.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openToolDatabase } from '../../platform/start/tool-database.ts'
import { checkRoles } from '../../platform/db/app-rights.ts'
import { isDataFolderLocked } from '../../platform/embedded-postgres/data-folder-lock.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { readMigrationState } from '../../platform/db/migrate.ts'
import { checkSecret } from '../../platform/security/secret-check.ts'
import { note, ok, withoutDatabase, type CheckContext, type Finding } from './finding.ts'

/** Connects to the database. The following checks use this connection. */
export async function checkDatabase(context: CheckContext): Promise<Finding> {
  const { config, log } = context
  const folder = join(config.dataDir, 'postgres', 'data')
  const isEmbedded = config.databaseUrl === null
  if (isEmbedded && !existsSync(folder)) {
    return note(`There is no database in ${config.dataDir} yet; the first start creates it.`)
  }
  // If root runs this command, the embedded database runs as another user, and starting it would change the owner of
  // its files.
  if (isEmbedded && process.getuid?.() === 0 && !isDataFolderLocked(config.dataDir)) {
    const { uid } = statSync(config.dataDir)
    if (uid !== 0) {
      return note(
        `not checked: Velour is stopped, and only user id ${uid} should start its database. ` +
          `Run this as that user: sudo -u "#${uid}" npm run doctor`,
      )
    }
  }
  const database = await openToolDatabase(config, log)
  context.database = database
  const db = createDatabase({ connectionString: database.app, maxConnections: 2, log })
  context.db = db
  const { rows } = await sql<{ version: string; has_installation: boolean }>`
    select current_setting('server_version') as version,
           to_regclass('public.installation') is not null as has_installation`.execute(db.query)
  context.hasInstallation = rows[0]!.has_installation
  const where = isEmbedded ? `the embedded one in ${config.dataDir}` : 'DATABASE_URL'
  return ok(`PostgreSQL ${rows[0]!.version} answers (${where})`)
}

export async function checkDatabaseRoles({ config, database }: CheckContext): Promise<Finding> {
  if (!database) return withoutDatabase
  const { app, owner } = await checkRoles(database)
  if (app !== owner) {
    return ok(`"${owner}" owns the tables; "${app}" reads and writes rows, not the audit log`)
  }
  return note(
    `"${app}" owns the tables, so SQL with its role could change the audit log: ` +
      `set DATABASE_OWNER_URL to a second role${config.databaseOwnerUrl ? ', other than the one in DATABASE_URL' : ''}.`,
  )
}

export async function checkMigrations({ database }: CheckContext): Promise<Finding> {
  if (!database) return withoutDatabase
  const { missing, newer, appliedCount } = await readMigrationState(database.owner)
  if (appliedCount === 0) return note('The database is empty; the first start creates the tables.')
  if (missing.length > 0) {
    return note(
      `${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'} will run at the next start (${missing.join(', ')}): back up first, and test with npm run upgrade-check.`,
    )
  }
  if (newer.length > 0) {
    return note(
      `A newer version of Velour has migrated the database (${newer.join(', ')}): switch to that version soon.`,
    )
  }
  return ok(`all ${appliedCount} migrations of this version are applied`)
}

export async function checkKey({ config, db, hasInstallation }: CheckContext): Promise<Finding> {
  if (!db) return withoutDatabase
  const isBound = hasInstallation && (await checkSecret(db, config))
  if (!isBound) return note('The database is not bound to a SECRET yet; the next start binds it.')
  const where = config.secret === null ? join(config.dataDir, 'secret') : 'SECRET'
  if (config.acceptNewSecret) {
    return note(`${where} is the key of this database: unset ACCEPT_NEW_SECRET again.`)
  }
  return ok(`${where} is the key of this database`)
}
