// The rights of the running server in its own database. Migrations run as the owner role. Everything else uses a
// second role, which reads and writes rows but owns none of our tables. It can insert rows into the audit log and the
// billing ledger, but never change them.
import pg from 'pg'
import { buildConnectionConfig } from './connection-config.ts'
import { DatabaseStartError } from './database-start-error.ts'
import type { Log } from '../process/log.ts'
import { sessionLocks } from './advisory-locks.ts'
import { migrate } from './migrate.ts'
import { queryAt, withClient } from './with-client.ts'

export interface DatabaseAddresses {
  /** URL for the role of the running server. */
  app: string
  /** URL for the role that owns the tables and runs the migrations. Equal to `app` if there is only one role. */
  owner: string
}

/**
 * Migrates the schema and sets the roles' rights for this version. Returns the names of the applied migrations.
 * Throws a DatabaseStartError if the roles would not protect the tables.
 */
export async function prepareDatabase(
  addresses: DatabaseAddresses,
  options: { log: Log; folder?: string },
): Promise<string[]> {
  const app = await readRole(addresses.app)
  const owner = addresses.owner === addresses.app ? app : await readRole(addresses.owner)
  if (app !== owner) await refuseOwningApp(addresses.app, app, owner)
  const applied = await migrate({ connectionString: addresses.owner, ...options })
  if (app === owner) {
    options.log.warn(
      {},
      'DATABASE_URL owns the tables, so SQL with its role could disable the protection of the audit log: ' +
        'set DATABASE_OWNER_URL to keep owner and server apart',
    )
  }
  await withClient(buildConnectionConfig(addresses.owner), async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [sessionLocks.migrate])
    // Checked first, because `create schema if not exists` needs the CREATE right even if the schema exists.
    const { rows } = await client.query(`select to_regnamespace('jobs') is not null as exists`)
    if (!rows[0].exists) await client.query('create schema jobs')
    if (app !== owner) await grantRights(client, app)
    await client.query('commit')
  })
  return applied
}

/**
 * Throws a DatabaseStartError if `prepareDatabase` would refuse the roles or fail for a missing right. Changes
 * nothing. Returns the names of both roles.
 */
export async function checkRoles(
  addresses: DatabaseAddresses,
): Promise<{ app: string; owner: string }> {
  const app = await readRole(addresses.app)
  const owner = addresses.owner === addresses.app ? app : await readRole(addresses.owner)
  if (app !== owner) await refuseOwningApp(addresses.app, app, owner)
  await withClient(buildConnectionConfig(addresses.owner), async (client) => {
    await refuseWeakOwner(client, owner)
    const { rows } = await client.query(`select to_regclass('public.audit_log') as audit_log`)
    if (app !== owner && rows[0].audit_log !== null) await refusePowerfulApp(client, app)
  })
  return { app, owner }
}

async function refuseWeakOwner(client: pg.Client, owner: string): Promise<void> {
  const { rows } = await client.query<{
    name: string
    may_create: boolean
    other_owner: string | null
  }>(
    `select current_database() as name,
            has_schema_privilege('public', 'create')
              and (to_regnamespace('jobs') is not null or has_database_privilege(current_database(), 'create'))
              as may_create,
            (select min(tableowner::text) from pg_tables
              where schemaname = 'public' and not pg_has_role(tableowner, 'usage')) as other_owner`,
  )
  const { name, may_create, other_owner } = rows[0]!
  const role = pg.escapeIdentifier(owner)
  if (other_owner !== null) {
    throw new DatabaseStartError(
      `The tables belong to the role "${other_owner}", so the role "${owner}" cannot migrate them. As a superuser: ` +
        `REASSIGN OWNED BY ${pg.escapeIdentifier(other_owner)} TO ${role};`,
    )
  }
  if (may_create) return
  throw new DatabaseStartError(
    `The role "${owner}" may not create tables in the database "${name}". As a superuser: ` +
      `ALTER DATABASE ${pg.escapeIdentifier(name)} OWNER TO ${role};`,
  )
}

/** Runs as one batch in one transaction, so that running instances never have too few or too many rights. */
async function grantRights(client: pg.Client, app: string): Promise<void> {
  const role = pg.escapeIdentifier(app)
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.query(`
    revoke create on schema public from public, ${role};
    -- A temporary table would shadow the table of the same name.
    revoke temporary on database ${pg.escapeIdentifier(rows[0]!.name)} from public, ${role};
    grant usage on schema public to ${role};
    grant usage on all sequences in schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    -- Instances that run during the next migration need access to the tables that it creates.
    alter default privileges in schema public grant select, insert, update, delete on tables to ${role};
    alter default privileges in schema public grant usage on sequences to ${role};
    revoke all on audit_log, payments, schema_migrations from public, ${role};
    grant select, insert on audit_log, payments to ${role};
    grant select on schema_migrations to ${role};
    -- The job queue migrates its own schema and creates partitions while it runs.
    grant usage, create on schema jobs to ${role};`)
  await transferJobs(client, app)
  await refusePowerfulApp(client, app)
}

/**
 * Transfers the job queue from the owner role to the app role, if it was created while there was one role. Later
 * starts find nothing to transfer.
 */
async function transferJobs(client: pg.Client, app: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter %s %s owner to %I', kind, name, $1::text) as statement
       from (
         select 'table' as kind, oid::regclass::text as name from pg_class
          where relnamespace = 'jobs'::regnamespace and relkind in ('r', 'p') and relowner = current_user::regrole
         union all
         select 'routine', oid::regprocedure::text from pg_proc
          where pronamespace = 'jobs'::regnamespace and proowner = current_user::regrole
         union all
         select 'type', oid::regtype::text from pg_type
          where typnamespace = 'jobs'::regnamespace and typtype = 'e' and typowner = current_user::regrole
       ) things`,
    [app],
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Refuses an app role that could bypass all rights: a superuser or a member of the owner role. */
async function refusePowerfulApp(client: pg.Client, app: string): Promise<void> {
  const { rows } = await client.query<{ powerful: boolean }>(
    `select has_table_privilege($1, 'public.audit_log', 'update, delete, truncate, trigger, references')
            or pg_has_role($1, relowner, 'member') as powerful
       from pg_class where oid = 'public.audit_log'::regclass`,
    [app],
  )
  if (!rows[0]?.powerful) return
  throw new DatabaseStartError(
    `The role "${app}" of DATABASE_URL may change the audit log: it is a superuser or a member of the role of ` +
      'DATABASE_OWNER_URL. Give DATABASE_URL an ordinary role of its own.',
  )
}

/** Refuses tables that the app role owns because they were created while there was one role. */
async function refuseOwningApp(connectionString: string, app: string, owner: string) {
  const owned = await queryAt(
    buildConnectionConfig(connectionString),
    `select from pg_tables where schemaname = 'public' and tableowner = current_user`,
  )
  if (owned.length === 0) return
  throw new DatabaseStartError(
    `The tables belong to the role "${app}" of DATABASE_URL. Transfer them to the role of DATABASE_OWNER_URL first, as a ` +
      `superuser: REASSIGN OWNED BY ${pg.escapeIdentifier(app)} TO ${pg.escapeIdentifier(owner)};`,
  )
}

async function readRole(connectionString: string): Promise<string> {
  const to = buildConnectionConfig(connectionString)
  const [row] = await queryAt<{ role: string }>(to, 'select current_user as role')
  return row!.role
}
