// What becomes of files that nobody uses, and of what broke off.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../db/database.ts'
import { claimKeys } from '../storage/storage-garbage.ts'
import { createUploadTestApp, hourMs, type UploadTestApp } from './upload-test-app.ts'
import { useUpload } from './use-upload.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test('time takes away a finished file that nobody used, after a day, with its row', async () => {
  const signed = await uploads.sign({ size: 4 })
  await uploads.put(signed, Buffer.from('wave'))
  uploads.clock.passedMs = 23 * hourMs
  await uploads.sweep()
  expect((await uploads.stored(signed))?.toString()).toBe('wave')
  uploads.clock.passedMs = 26 * hourMs
  await uploads.sweep()
  expect([await uploads.stored(signed), await uploads.rowOf(signed)]).toEqual([null, undefined])
})

test('time takes away the row of a used one, but never the file that somebody owns', async () => {
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

test('time takes away parts that did not go on', async () => {
  const signed = await uploads.sign({ size: 1000 })
  await uploads.patch(signed, 0, Buffer.alloc(500))
  uploads.clock.passedMs = 1.5 * hourMs
  await uploads.sweep()
  expect(await uploads.partials()).toContain(signed.id)
  uploads.clock.passedMs = 4 * hourMs
  await uploads.sweep()
  expect([await uploads.partials(), await uploads.rowOf(signed)]).toEqual([[], undefined])
})

test('time takes away an object that a kill left without its row saying so', async () => {
  const signed = await uploads.sign({ size: 4 })
  // Moved to its place, and then the transaction never came to its end.
  await uploads.server.services.storage.put(signed.path, Buffer.from('wave'))
  uploads.clock.passedMs = 3 * hourMs
  await uploads.sweep()
  expect([await uploads.stored(signed), await uploads.rowOf(signed)]).toEqual([null, undefined])
})
