// Deleting unused files and interrupted uploads when they expire.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { claimKeys } from '../../platform/storage/storage-garbage.ts'
import { createUploadTestApp, hourMs, type UploadTestApp } from '../../testing/upload-test-app.ts'
import { useUpload } from './use-upload.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test('deletes a complete but unused file and its row after a day', async () => {
  const signed = await uploads.sign({ size: 4 })
  await uploads.put(signed, Buffer.from('wave'))
  uploads.clock.passedMs = 23 * hourMs
  await uploads.sweep()
  expect((await uploads.stored(signed))?.toString()).toBe('wave')
  uploads.clock.passedMs = 26 * hourMs
  await uploads.sweep()
  expect([await uploads.stored(signed), await uploads.rowOf(signed)]).toEqual([null, undefined])
})

test('deletes the row of a used upload, but not the file, which belongs to another row', async () => {
  const signed = await uploads.sign({ size: 4 })
  await uploads.put(signed, Buffer.from('wave'))
  await transaction(uploads.server.services.db, async (trx) => {
    const upload = await useUpload(trx, {
      path: signed.path,
      bucket: 'audio',
      userId: uploads.admin.id,
    })
    await claimKeys(trx, [upload.storageKey])
  })
  uploads.clock.passedMs = 30 * hourMs
  await uploads.sweep()
  expect(await uploads.rowOf(signed)).toBeUndefined()
  expect((await uploads.stored(signed))?.toString()).toBe('wave')
})

test('deletes unfinished files that version 0.1 received with the tus protocol', async () => {
  const signed = await uploads.sign({ size: 1000 })
  const folder = join(uploads.server.services.config.dataDir, 'uploads')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, signed.id), 'half')
  await uploads.sweep()
  expect(await readdir(folder)).toEqual([])
  expect((await uploads.rowOf(signed))?.status).toBe('open')
})

test('deletes an object that was stored before a crash but is not recorded in its row', async () => {
  const signed = await uploads.sign({ size: 4 })
  // As after a crash: the object was moved to its key, but the transaction was not committed.
  await uploads.server.services.storage.put(signed.path, Buffer.from('wave'))
  uploads.clock.passedMs = 3 * hourMs
  await uploads.sweep()
  expect([await uploads.stored(signed), await uploads.rowOf(signed)]).toEqual([null, undefined])
})
