// Sends a backup in BACKUP_TO as one file, which `npm run restore -- FILE` accepts.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { pack } from 'tar-stream'
import type * as contract from '#contract/admin/admin-system.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { encryptWithPassphrase } from './backup-encryption.ts'
import { BackupError } from './backup-format.ts'
import { readBackups, readManifest, type BackupTarget } from './backup-target.ts'
import type { BackupReader } from './read-archive.ts'
import { openConfiguredTarget } from './stored-backups.ts'
import { openStoredBackup } from './target-reader.ts'

/** An encrypted backup is not decrypted: the downloaded file is encrypted too. */
export async function downloadBackup(
  ctx: MemberContext,
  { params: { name } }: ParsedInput<typeof contract.downloadBackup>,
  reply: FastifyReply,
  { config }: Pick<PlatformServices, 'config'>,
): Promise<FastifyReply> {
  const target = await openForDownload(config)
  try {
    const { backup, isEncrypted } = await findBackup(target, name)
    await transaction(ctx.db, (trx) =>
      writeAudit(ctx, trx, { action: 'export', entity: 'backup', after: { name } }),
    )
    const abortController = new AbortController()
    reply.raw.once('close', () => abortController.abort(new Error('the download was aborted')))
    const tar = packBackup(backup, abortController.signal, async (error) => {
      if (error !== null && !abortController.signal.aborted) {
        ctx.log.warn({ err: error, backup: name }, 'the download of a backup failed')
      }
      await target.close()
    })
    const content = isEncrypted
      ? await encryptWithPassphrase(config.backupPassphrase!, target.name).encrypt(tar)
      : tar
    const file = `velour-backup-${name.replaceAll(/[^\w.-]/g, '_')}.tar${isEncrypted ? '.age' : ''}`
    return reply
      .header('content-type', 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${file}"`)
      .header('cache-control', 'no-store')
      .send(content)
  } catch (error) {
    await target.close()
    throw error
  }
}

async function openForDownload(config: PlatformServices['config']): Promise<BackupTarget> {
  try {
    const target = await openConfiguredTarget(config)
    if (target) return target
  } catch (error) {
    throw error instanceof BackupError ? new AppError('backup_unreadable', { cause: error }) : error
  }
  throw new AppError('backup_not_set_up')
}

/** Finds a backup and reads its manifest, so that an unreadable backup is refused before the first byte is sent. */
async function findBackup(
  target: BackupTarget,
  name: string,
): Promise<{ backup: BackupReader; isEncrypted: boolean }> {
  const stored = (await readBackups(target)).find((backup) => backup.name === name)
  if (!stored) throw new AppError('backup_not_found')
  await readManifest(target, stored).catch((cause: unknown) => {
    throw new AppError('backup_unreadable', { cause })
  })
  return { backup: await openStoredBackup(target, name), isEncrypted: stored.isEncrypted }
}

/**
 * Packs the entries as stored in the target, and the end record. Hashes are not recomputed, so a restore detects a file
 * that was modified in the target. Throws if an entry cannot be read.
 */
function packBackup(
  backup: BackupReader,
  signal: AbortSignal,
  onEnd: (error: unknown) => Promise<void>,
): Readable {
  const tar = pack()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => {})
  const write = async () => {
    for await (const { name, byteSize, body } of backup.entries(signal)) {
      const entry = tar.entry({ name, size: byteSize, mode: 0o600, mtime: new Date(0) })
      const copying = pipeline(body, entry)
      copying.catch(() => {})
      await Promise.race([copying, aborted])
    }
    tar.finalize()
  }
  write()
    .catch((error: unknown) => {
      tar.destroy(error instanceof Error ? error : new Error(String(error)))
      return error
    })
    .then((error: unknown) => onEnd(error ?? null))
    .catch(() => {})
  return Readable.from(tar, { objectMode: false })
}
