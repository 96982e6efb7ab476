// Tests the recorded size and hash of each stored file, from its creation until it is deleted. Uses real files and
// real jobs, on disk and in an object store.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAdminTracks } from '#contract/admin/admin-tracks.ts'
import { purgeDeletions } from '../../features/deletions/purge-deletions.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'
import { processTrack } from '../../features/tracks/processing/process-track.ts'

const job = { signal: new AbortController().signal, isLastAttempt: true }

describe.each(['disk', 's3'] as const)('on %s', (kind) => {
  let server: TestApp
  let admin: Person
  let s3: S3Server | null = null

  beforeAll(async () => {
    s3 = kind === 's3' ? await startS3StandIn() : null
    server = await createTestApp(s3 ? { s3: s3.options, s3Upload: 'proxy' } : {})
    admin = await server.makePerson({ role: 'admin' })
  })
  afterAll(async () => {
    await server.close()
    await s3?.close()
  })

  /** Returns the rows whose keys contain this text. */
  const rowsOf = (text: string) =>
    server.services.db.query
      .selectFrom('stored_files')
      .select(['storage_key', 'byte_size', 'sha256'])
      .where('storage_key', 'like', `%${text}%`)
      .execute()

  test("size and SHA-256 of a track's recording, renditions and cover are recorded until the track is purged", async () => {
    const { db, storage } = server.services
    const { id, source_key } = await uploadTrack(server, admin, encodeTaggedWav(2, 300))
    expect(await rowsOf(source_key)).toHaveLength(1)
    await sql`delete from jobs.job`.execute(db.query)
    await processTrack(server.services, id, job)
    const { cover_id } = await db.query
      .selectFrom('tracks')
      .select('cover_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = [
      ...(await rowsOf(source_key)),
      ...(await rowsOf(`audio/${id}/`)),
      ...(await rowsOf(cover_id!)),
    ]
    expect(rows).toHaveLength(1 + 3 + 6)
    for (const row of rows) {
      const bytes = await storage.read(row.storage_key)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(row).toEqual({ storage_key: row.storage_key, byte_size: bytes.length, sha256 })
    }

    await processTrack(server.services, id, job)
    const replaced = await rowsOf(`audio/${id}/`)
    expect(replaced).toHaveLength(3)
    expect(rows).not.toContainEqual(replaced[0])

    await admin.call(changeAdminTracks, { body: { action: 'delete', id } })
    await sql`update deletions set undo_until = now() - interval '1 hour'`.execute(db.query)
    await purgeDeletions(db, job.signal)
    expect([
      ...(await rowsOf(source_key)),
      ...(await rowsOf(id)),
      ...(await rowsOf(cover_id!)),
    ]).toEqual([])
  })
})
