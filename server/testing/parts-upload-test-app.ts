// For tests: uploads in parts to disk or to an object store, with the same requests as a browser.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import pino from 'pino'
import { expect } from 'vitest'
import { completeUploadParts, listUploadParts, signUploadParts } from '#contract/upload-parts.ts'
import { createApp } from '../app.ts'
import { startServices } from '../services.ts'
import { collectKeys } from './storage/storage-compliance.ts'
import { startS3StandIn } from './storage/s3-stand-in.ts'
import { sendBody } from './send-body.ts'
import type { Person } from './test-app.ts'
import { createUploadTestApp, type Signed } from './upload-test-app.ts'

export const partBytes = 8 * 1024 ** 2

export type PartsUploadTestApp = Awaited<ReturnType<typeof createPartsUploadTestApp>>

/** Creates the app. Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createPartsUploadTestApp(where: 'disk' | 'store') {
  const store = where === 'store' ? await startS3StandIn() : null
  const uploads = await createUploadTestApp({
    secret: 's'.repeat(40),
    ...(store && { s3: store.options }),
  })
  const { server, admin, rowOf, sweep } = uploads

  const address = (
    { id }: Pick<Signed, 'id'>,
    numbers: number[],
    { who = admin, through_server = false } = {},
  ) => who.call(signUploadParts, { params: { id }, body: { numbers, through_server } })

  /** Counts the uploads that have parts but are not complete. */
  const countUnfinished = async () =>
    store
      ? store.countUnfinished()
      : (await readdir(join(server.services.config.dataDir, 'storage', 'parts'))).length

  /** Sends a part to this server. */
  const sendPart = (
    { id }: Pick<Signed, 'id'>,
    number: number | string,
    body: Buffer | Readable,
    { who = admin, url = server.url }: { who?: Person; url?: string } = {},
  ) =>
    sendBody({
      url: `${url}/api/uploads/${id}/parts/${number}`,
      method: 'PUT',
      headers: { cookie: who.cookie, 'content-type': 'application/octet-stream' },
      body,
    })

  return {
    ...uploads,
    address,
    countUnfinished,
    sendPart,
    list: ({ id }: Pick<Signed, 'id'>, who = admin) =>
      who.call(listUploadParts, { params: { id } }),
    complete: ({ id }: Pick<Signed, 'id'>, sha256?: string, who = admin) =>
      who.call(completeUploadParts, { params: { id }, body: sha256 ? { sha256 } : {} }),
    /** Sends parts to their URLs like a browser. With a store, the URLs are those of the store. */
    async bring(signed: Signed, bytes: Buffer, numbers: number[]): Promise<void> {
      const { body } = await address(signed, numbers)
      for (const { number, byte_size, url } of body.data) {
        const target = new URL(url, server.url)
        expect(target.origin).toBe(store ? store.options.endpoint : server.url)
        const part = cut(bytes, number)
        expect(byte_size).toBe(part.length)
        const response = await fetch(target, {
          method: 'PUT',
          body: new Uint8Array(part),
          headers: store
            ? {}
            : { cookie: admin.cookie, 'content-type': 'application/octet-stream' },
        })
        expect(response.status).toBe(store ? 200 : 204)
      }
    },
    async nothingRemains(signed: Signed): Promise<void> {
      await sweep()
      expect(await rowOf(signed)).toBeUndefined()
      expect(await collectKeys(server.services.storage, signed.path)).toEqual([])
      expect(await countUnfinished()).toBe(0)
    },
    /**
     * Starts another instance. With a store, the instance has its own folder, and accepts parts instead of returning
     * URLs of the store.
     */
    async startOther() {
      const own = store ? await mkdtemp(join(tmpdir(), 'velour-other-')) : null
      const dataDir = own ?? server.services.config.dataDir
      const log = pino({ level: 'fatal' })
      const config = { ...server.services.config, dataDir, s3Upload: 'proxy' as const }
      const running = await startServices(config, log, { now: uploads.now })
      const app = await createApp(running.services, { log, webFolder: null, strictOutput: true })
      await app.listen({ host: '127.0.0.1', port: 0 })
      return {
        url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
        dataDir,
        async close() {
          running.beginShutdown()
          app.server.closeAllConnections()
          await app.close()
          await running.close()
          if (own) await rm(own, { recursive: true })
        },
      }
    },
    async close() {
      await uploads.close()
      await store?.close()
    },
  }
}

export const cut = (bytes: Buffer, number: number) =>
  bytes.subarray((number - 1) * partBytes, number * partBytes)
