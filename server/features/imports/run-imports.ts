// Handles the import job. One import runs at a time; the others wait.
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { isStorageError } from '../../platform/storage/storage.ts'
import { deleteUnusedUpload } from '../uploads/sweep-uploads.ts'
import { ImportError } from './archive-error.ts'
import { importArchiveFiles, type ImportJob } from './import-archive.ts'
import { findCatalogue, importCatalogue } from './import-catalogue.ts'
import type { FileServices } from './import-file.ts'
import { findWaitingImport, type ImportRow } from './import-rows.ts'
import { importServer } from './import-server.ts'
import { openArchive } from './open-archive.ts'

export type ImportServices = FileServices & Pick<PlatformServices, 'log' | 'config' | 'secretBox'>

export async function runImports(
  services: ImportServices,
  job: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<void> {
  for (;;) {
    job.signal.throwIfAborted()
    const row = await findWaitingImport(services.db)
    if (!row) return
    try {
      await runImport(services, row, job.signal)
    } catch (error) {
      if (job.signal.aborted) throw error
      if (error instanceof ImportError) await failImport(services.db, row, error.message)
      else if (isRejectedRow(error)) {
        const { constraint = error.message } = error
        await failImport(
          services.db,
          row,
          `The export is invalid: the database rejected a row (${constraint}).`,
        )
      } else if (!job.isLastAttempt) throw error
      else {
        services.log.error({ err: error, import: row.id }, 'an import failed')
        await failImport(
          services.db,
          row,
          'The import stopped unexpectedly. Check the server log, then start it again.',
        )
      }
    }
  }
}

/**
 * Whether the database rejected data that no Velour service could have exported: a value out of range, a duplicate row
 * or a dangling reference.
 */
function isRejectedRow(error: unknown): error is Error & { code: string; constraint?: string } {
  return error instanceof Error && 'code' in error && /^2[23]\w{3}$/.test(String(error.code))
}

async function runImport(
  services: ImportServices,
  row: ImportRow,
  signal: AbortSignal,
): Promise<void> {
  await services.db.query
    .updateTable('imports')
    .set({ status: 'running' })
    .where('id', '=', row.id)
    .where('status', '=', 'waiting')
    .execute()
  const job = { services, ctx: await createImportContext(services, row), row, signal }
  if (row.server_url === null) await importArchive(job)
  else if (!(await importServer(job))) return
  await finishImport(services.db, row)
}

async function importArchive(job: ImportJob): Promise<void> {
  const { services, row } = job
  const upload = await services.db.query
    .selectFrom('uploads')
    .select('path')
    .where('id', '=', row.upload_id)
    .executeTakeFirst()
  const missingError = new ImportError('The archive is no longer stored. Upload it again.')
  if (!upload) throw missingError
  const object = await services.storage.open(upload.path).catch((error: unknown) => {
    throw isStorageError(error, 'not_found') ? missingError : error
  })
  try {
    const archive = await openArchive(object)
    try {
      const catalogue = findCatalogue(archive)
      if (catalogue) await importCatalogue(job, catalogue)
      else await importArchiveFiles(job, archive)
    } finally {
      archive.close()
    }
  } finally {
    await object.close()
  }
}

const serverLifetimeDays = 30

/** A request context for running operations on behalf of the person who started the import. */
async function createImportContext(
  services: ImportServices,
  row: ImportRow,
): Promise<MemberContext> {
  const person = await services.db.query
    .selectFrom('profiles')
    .selectAll()
    .where('id', '=', row.started_by)
    .executeTakeFirst()
  if (!person) throw new ImportError('The account that started this import was deleted.')
  return {
    db: services.db,
    now: services.now,
    log: services.log,
    ip: row.ip_address,
    actor: {
      user_id: person.id,
      session_id: row.id,
      email: person.email,
      email_verified: person.email_verified,
      display_name: person.display_name,
      avatar_url: person.avatar_url,
      role: 'admin',
      subscription_status: person.subscription_status,
      subscription_tier: person.subscription_tier,
      subscription_ends_at: person.subscription_ends_at,
      two_factor_enabled: person.two_factor_enabled,
    },
  }
}

/**
 * Ends the import, or lets it wait for the owner's decisions on known recordings. For an export, the existing tracks
 * are used without a decision.
 */
async function finishImport(db: Database, row: ImportRow): Promise<void> {
  const status = await transaction(db, async (trx) => {
    const { rows } = await sql<{ status: string; upload_id: string | null }>`
      update imports i
         set status = case when exists (
               select from import_items t where t.import_id = i.id and t.status = 'known' and t.decision is null
                  and i.format <> 'catalogue')
             then 'asking' else 'done' end,
             finished_at = now()
       where i.id = ${row.id} and i.status = 'running'
      returning i.status`.execute(trx.query)
    return rows[0]?.status
  })
  if (status === 'done') await deleteDataUnlessRetryable(db, row)
}

async function failImport(db: Database, row: ImportRow, problem: string): Promise<void> {
  await transaction(db, async (trx) => {
    await trx.query
      .updateTable('imports')
      .set({ status: 'failed', problem: problem.slice(0, 500), finished_at: sql<string>`now()` })
      .where('id', '=', row.id)
      .where('status', 'in', ['waiting', 'running'])
      .execute()
  })
  await deleteImportData(db, row)
}

/**
 * Deletes the data of an ended import. If some items failed, keeps the archive and the credentials for `retryImport`,
 * until `stopAbandonedImports` runs or the upload expires.
 */
export async function deleteDataUnlessRetryable(
  db: Database,
  row: Pick<ImportRow, 'id' | 'upload_id'>,
): Promise<void> {
  const failed = await db.query
    .selectFrom('imports as i')
    .innerJoin('import_items as t', 't.import_id', 'i.id')
    .select('t.position')
    .where('i.id', '=', row.id)
    .where('i.format', 'in', ['files', 'server'])
    .where('t.status', '=', 'failed')
    .limit(1)
    .executeTakeFirst()
  if (!failed) await deleteImportData(db, row)
}

/** Deletes the archive of an import, and the stored credentials of a server. */
export async function deleteImportData(
  db: Database,
  { id, upload_id }: Pick<ImportRow, 'id' | 'upload_id'>,
): Promise<void> {
  if (upload_id !== null) await deleteUnusedUpload(db, upload_id)
  await db.query
    .updateTable('imports')
    .set({ server_login_sealed: null })
    .where('id', '=', id)
    .where('server_login_sealed', 'is not', null)
    .execute()
}

/** Stops server imports that have waited too long for the owner, and deletes old stored credentials. */
export async function stopAbandonedImports(db: Database): Promise<void> {
  const isOld = sql<boolean>`created_at < now() - make_interval(days => ${serverLifetimeDays})`
  await db.query
    .updateTable('imports')
    .set({
      status: 'stopped',
      server_login_sealed: null,
      finished_at: sql<string>`now()`,
    })
    .where('status', 'in', ['listed', 'asking'])
    .where('server_login_sealed', 'is not', null)
    .where(isOld)
    .execute()
  await db.query
    .updateTable('imports')
    .set({ server_login_sealed: null })
    .where('status', '=', 'done')
    .where('server_login_sealed', 'is not', null)
    .where(isOld)
    .execute()
}
