// Sends the whole catalogue as one zip file to an admin.
import type { FastifyReply } from 'fastify'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import type { ReadBranding } from '../settings/branding.ts'
import { createZipTarget } from './export-target.ts'
import { writeExport } from './write-export.ts'

export type ExportServices = Pick<PlatformServices, 'db' | 'storage' | 'now'> & {
  branding: ReadBranding
}

/** An error aborts the download, so that a browser does not treat the file as complete. */
export async function exportCatalogue(
  ctx: MemberContext,
  reply: FastifyReply,
  { db, storage, branding, now }: ExportServices,
): Promise<FastifyReply> {
  await transaction(ctx.db, (trx) =>
    writeAudit(ctx, trx, { action: 'export', entity: 'catalogue', after: { what: 'everything' } }),
  )
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort(new Error('the download was canceled')))
  const exportedAt = now()
  const target = createZipTarget(exportedAt, disconnected.signal)
  const source = { db, storage, service: branding().artist_name, now: () => exportedAt }
  writeExport(source, target, disconnected.signal).then(
    ({ missing }) => {
      if (missing.length > 0) ctx.log.warn({ missing }, 'an export lacks files')
    },
    (error: unknown) => {
      if (!disconnected.signal.aborted) ctx.log.warn({ err: error }, 'an export was aborted')
      target.content.destroy(error instanceof Error ? error : new Error(String(error)))
    },
  )
  const day = exportedAt.toISOString().slice(0, 10)
  return reply
    .header('content-type', 'application/zip')
    .header('content-disposition', `attachment; filename="catalogue-${day}.zip"`)
    .header('cache-control', 'no-store')
    .send(target.content)
}
