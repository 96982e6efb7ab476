// Operations on imports: start, list, confirm, decide, retry and stop. The job `run-imports` does the work.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { importItemsPageSize, type ImportSummary } from '#contract/admin/imports.ts'
import type * as contract from '#contract/admin/imports.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { withoutAudit } from '../../platform/audit/audited-database.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { reserveKeys } from '../../platform/storage/storage-garbage.ts'
import { findCompleteUpload } from '../uploads/use-upload.ts'
import { indexFiles, createPlaylistFromList } from './import-list.ts'
import { readList } from './read-list.ts'
import { lockImport, type ImportStatus } from './import-rows.ts'
import { deleteImportData, deleteDataUnlessRetryable } from './run-imports.ts'
import { sealLogin, type ServerImportServices } from './import-server.ts'
import { findAddressError, toServerUrl } from './server-address.ts'

/** How long an import and its archive are kept while the import waits for the owner's decisions. */
const archiveLifetimeDays = 30

interface Services {
  jobs: Pick<JobQueue, 'enqueue'>
}

/**
 * Starts the import of an uploaded archive. Throws `upload_not_found` (also for another person's upload),
 * `upload_incomplete`, `upload_used`.
 */
export async function startImport(
  { jobs }: Services,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.startImport>,
): Promise<ImportSummary> {
  const owned = { path: body.archive_path, bucket: 'archives', userId: ctx.actor.user_id } as const
  const id = await transaction(ctx.db, async (trx) => {
    const upload = await findCompleteUpload(trx, owned)
    await extendArchiveLifetime(trx, upload)
    const row = await trx.query
      .insertInto('imports')
      .values({
        name: upload.filename,
        upload_id: upload.id,
        started_by: ctx.actor.user_id,
        ip_address: ctx.ip,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(ctx, trx, {
      action: 'import',
      entity: 'catalogue',
      entity_id: row.id,
      after: { from: upload.filename, byte_size: upload.byteSize },
    })
    await jobs.enqueue(trx, 'run-imports', {})
    return row.id
  })
  return findImport(ctx.db, id)
}

/** Starts an import from another server. Throws `import_url_refused`, `import_url_private`. */
export async function startServerImport(
  services: Services & ServerImportServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.startServerImport>,
): Promise<ImportSummary> {
  const refusal = findAddressError(services.config, new URL(body.address))
  if (refusal !== null) throw new AppError(refusal)
  const server_url = toServerUrl(body.address)
  const id = await transaction(ctx.db, async (trx) => {
    const row = await trx.query
      .insertInto('imports')
      .values({
        name: new URL(server_url).host,
        server_url,
        server_login_sealed: sealLogin(services, body.login),
        started_by: ctx.actor.user_id,
        ip_address: ctx.ip,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = { from: server_url }
    await writeAudit(ctx, trx, {
      action: 'import',
      entity: 'catalogue',
      entity_id: row.id,
      after,
    })
    await services.jobs.enqueue(trx, 'run-imports', {})
    return row.id
  })
  return findImport(ctx.db, id)
}

/**
 * Confirms the list of songs of a server, so that they are downloaded. Throws `import_not_found`, `import_over`,
 * `import_not_listed`.
 */
export async function confirmImport(
  { jobs }: Services,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.confirmImport>,
): Promise<ImportSummary> {
  await transaction(ctx.db, async (trx) => {
    const { id, status } = await lockImport(trx, params.id)
    if (status !== 'listed') throw new AppError('import_not_listed')
    const unwanted = body.leave_out ?? []
    await sql`
      update import_items set status = 'left_out', reason = 'Not wanted'
       where import_id = ${id} and status in ('waiting', 'known') and position = any(${unwanted}::int[])`.execute(
      trx.query,
    )
    await setStatus(trx, id, 'waiting')
    const after = { status: 'confirmed', left_out: unwanted.length }
    await writeAudit(ctx, trx, { action: 'import', entity: 'catalogue', entity_id: id, after })
    await jobs.enqueue(trx, 'run-imports', {})
  })
  return findImport(ctx.db, params.id)
}

/**
 * Keeps the uploaded archive while the import needs it. If two imports use one upload, the second throws `upload_used`.
 */
async function extendArchiveLifetime(
  trx: Transaction,
  { id, storageKey }: { id: string; storageKey: string },
): Promise<void> {
  const lifetime = sql<string>`now() + make_interval(days => ${archiveLifetimeDays})`
  await trx.query
    .updateTable('uploads')
    .set({ expires_at: lifetime })
    .where('id', '=', id)
    .execute()
  const other = await trx.query
    .selectFrom('imports')
    .select('id')
    .where('upload_id', '=', id)
    .executeTakeFirst()
  if (other) throw new AppError('upload_used')
  // One day longer than the lifetime of the import's row, so that the storage sweep never deletes the archive of an
  // import.
  await reserveKeys(trx, [storageKey], (archiveLifetimeDays + 1) * 24)
}

const itemCounts = sql<ImportSummary['counts']>`(
  select jsonb_build_object(
    'waiting', count(*) filter (where t.status = 'waiting'), 'done', count(*) filter (where t.status = 'done'),
    'known', count(*) filter (where t.status = 'known'), 'failed', count(*) filter (where t.status = 'failed'),
    'left_out', count(*) filter (where t.status = 'left_out'))
    from import_items t where t.import_id = i.id)`

const canRetry = sql<boolean>`(
  i.status = 'done' and i.format in ('files', 'server')
  and (i.upload_id is not null or i.server_login_sealed is not null)
  and exists (select from import_items t where t.import_id = i.id and t.status = 'failed'))`

function selectImports(handle: Handle) {
  return handle.query
    .selectFrom('imports as i')
    .select([
      'i.id',
      'i.format',
      'i.name',
      'i.server_url',
      'i.status',
      'i.problem',
      'i.created_at',
      'i.finished_at',
      'i.made',
      itemCounts.as('counts'),
      canRetry.as('can_retry'),
    ])
}

async function findImport(handle: Handle, id: string): Promise<ImportSummary> {
  const row = await selectImports(handle).where('i.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('import_not_found')
  return row
}

export async function listImports(
  ctx: MemberContext,
): Promise<Output<typeof contract.listImports>> {
  const data = await selectImports(ctx.db)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(20)
    .execute()
  return { data }
}

export async function listImportItems(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listImportItems>,
): Promise<Output<typeof contract.listImportItems>> {
  await findImport(ctx.db, params.id)
  const rows = await ctx.db.query
    .selectFrom('import_items as i')
    .leftJoin('tracks as t', (join) =>
      join.onRef('t.id', '=', 'i.known_track_id').on('t.deleted_at', 'is', null),
    )
    .select([
      'i.position',
      'i.kind',
      'i.path',
      'i.name',
      'i.status',
      'i.decision',
      'i.track_id',
      'i.reason',
      'i.known_by as by',
      't.id as known_id',
      't.title',
      't.artist',
    ])
    .where('i.import_id', '=', params.id)
    .where('i.position', '>', query.after)
    .$if(query.status !== undefined, (items) => items.where('i.status', '=', query.status!))
    .orderBy('i.position')
    .limit(importItemsPageSize + 1)
    .execute()
  const data = rows
    .slice(0, importItemsPageSize)
    .map(({ by, known_id, title, artist, ...item }) => ({
      ...item,
      known:
        known_id !== null && title !== null && artist !== null && by !== null
          ? { id: known_id, title, artist, by }
          : null,
    }))
  const isMore = rows.length > importItemsPageSize
  return { data, next_after: isMore ? (data.at(-1)?.position ?? null) : null }
}

/** Saves the owner's decisions on known recordings. Throws `import_not_found`, `import_over`. */
export async function decideImportItems(
  { jobs }: Services,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.decideImportItems>,
): Promise<ImportSummary> {
  const isOver = await transaction(ctx.db, async (trx) => {
    const row = await lockImport(trx, params.id)
    const { decision, positions } = body
    const decided = await trx.query
      .updateTable('import_items')
      .set({ decision, ...(decision !== 'skip' && { status: 'waiting' as const }) })
      .where('import_id', '=', row.id)
      .where('status', '=', 'known')
      .where('decision', 'is', null)
      .$if(positions !== undefined, (items) => items.where('position', 'in', positions!))
      .returning('position')
      .execute()
    await writeAudit(ctx, trx, {
      action: 'import',
      entity: 'catalogue',
      entity_id: row.id,
      after: { decision, count: decided.length },
    })
    const status = row.status === 'asking' ? await chooseNextStatus(trx, row.id) : row.status
    await setStatus(trx, row.id, status)
    if (status === 'waiting') await jobs.enqueue(trx, 'run-imports', {})
    return status === 'done' ? row : null
  })
  if (isOver) await deleteDataUnlessRetryable(withoutAudit(ctx.db), isOver)
  return findImport(ctx.db, params.id)
}

async function chooseNextStatus(trx: Transaction, id: string): Promise<ImportStatus> {
  const rows = await trx.query
    .selectFrom('import_items')
    .select(['status', 'decision'])
    .distinct()
    .where('import_id', '=', id)
    .where('status', 'in', ['waiting', 'known'])
    .execute()
  if (rows.some(({ status }) => status === 'waiting')) return 'waiting'
  return rows.some(({ decision }) => decision === null) ? 'asking' : 'done'
}

async function setStatus(trx: Transaction, id: string, status: ImportStatus): Promise<void> {
  await trx.query.updateTable('imports').set({ status }).where('id', '=', id).execute()
}

/** Retries the failed items of an import. Throws `import_not_found`, `import_nothing_to_retry`. */
export async function retryImport(
  { jobs }: Services,
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.retryImport>,
): Promise<ImportSummary> {
  await transaction(ctx.db, async (trx) => {
    const row = await trx.query
      .selectFrom('imports as i')
      .select(['i.id', canRetry.as('can_retry')])
      .where('i.id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('import_not_found')
    if (!row.can_retry) throw new AppError('import_nothing_to_retry')
    const again = await trx.query
      .updateTable('import_items')
      .set({ status: 'waiting', reason: null })
      .where('import_id', '=', id)
      .where('status', '=', 'failed')
      .$if(body.positions !== undefined, (items) => items.where('position', 'in', body.positions!))
      .returning('position')
      .execute()
    if (again.length === 0) throw new AppError('import_nothing_to_retry')
    await trx.query
      .updateTable('imports')
      .set({ status: 'waiting', finished_at: null })
      .where('id', '=', id)
      .execute()
    const after = { status: 'retried', count: again.length }
    await writeAudit(ctx, trx, { action: 'import', entity: 'catalogue', entity_id: id, after })
    await jobs.enqueue(trx, 'run-imports', {})
  })
  return findImport(ctx.db, id)
}

/** Stops an import. Throws `import_not_found`, `import_over`. */
export async function stopImport(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.stopImport>,
): Promise<ImportSummary> {
  const row = await transaction(ctx.db, async (trx) => {
    const locked = await lockImport(trx, params.id)
    await setStatus(trx, locked.id, 'stopped')
    await writeAudit(ctx, trx, {
      action: 'import',
      entity: 'catalogue',
      entity_id: locked.id,
      after: { status: 'stopped' },
    })
    return locked
  })
  await deleteImportData(withoutAudit(ctx.db), row)
  return findImport(ctx.db, params.id)
}

/** Creates a playlist from an uploaded list of tracks. Throws `list_empty`. */
export async function importTrackList(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.importTrackList>,
): Promise<Output<typeof contract.importTrackList>> {
  const { filename, text } = body
  const list = readList(filename, text)
  const made =
    list &&
    (await transaction(ctx.db, (trx) =>
      createPlaylistFromList(trx, ctx, { list, filename, path: filename, files: indexFiles([]) }),
    ))
  if (!made) throw new AppError('list_empty')
  return made
}
