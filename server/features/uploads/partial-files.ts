// Partial files of resumable uploads: their bytes in a folder, everything else in the upload rows. A length is only
// reported after the bytes are flushed to disk.
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { ERRORS, Upload } from '@tus/server'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export class PartialFiles extends FileStore {
  constructor(directory: string, services: { db: Database }) {
    super({
      directory,
      configstore: {
        async get(id) {
          const row = await findOpenRow(services, id)
          return new Upload({ id, size: row.byte_size ?? undefined, offset: 0 })
        },
        async set(id, { size }) {
          const { query } = services.db
          await query.updateTable('uploads').set({ byte_size: size }).where('id', '=', id).execute()
        },
        async delete() {},
      },
    })
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** Flushes before reporting the length. An upload of known size exists as soon as it is authorized. */
  override async getUpload(id: string): Promise<Upload> {
    const upload = await this.configstore.get(id)
    if (upload?.size === undefined) throw ERRORS.FILE_NOT_FOUND
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const file = await open(join(this.directory, id), 'a', 0o600)
    try {
      await file.sync()
      const { size } = await file.stat()
      return new Upload({ id, size: upload.size, offset: size })
    } finally {
      await file.close()
    }
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const file = await open(join(this.directory, id), 'r+')
    const stream = file.createWriteStream({ start: offset, flush: true })
    await pipeline(body, stream)
    return offset + stream.bytesWritten
  }

  override remove(id: string): Promise<void> {
    return rm(join(this.directory, id), { force: true })
  }
}

/** The row of an upload that accepts bytes. Throws `upload_used`. */
export async function findOpenRow({ db }: { db: Database }, id: string) {
  const row = await selectOpen(db, id)
  if (!row) throw new AppError('upload_used')
  return row
}

export async function isOpen({ db }: { db: Database }, id: string): Promise<boolean> {
  return (await selectOpen(db, id)) !== undefined
}

function selectOpen(db: Database, id: string) {
  return db.query
    .selectFrom('uploads')
    .select(['id', 'path', 'bucket', 'byte_size'])
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
}
