// For tests: multipart uploads to an object store, and the requests of a browser that sends them.
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect } from 'vitest'
import { completeUploadParts, listUploadParts, signUploadParts } from '#contract/upload-parts.ts'
import { createApp } from '../app.ts'
import { startServices } from '../services.ts'
import { keysOf } from './storage/storage-compliance.ts'
import { startS3StandIn } from './storage/s3-stand-in.ts'
import { sendBody } from './send-body.ts'
import type { Person } from './test-app.ts'
import { createUploadTestApp, type Signed } from './upload-test-app.ts'

export const partBytes = 8 * 1024 ** 2

export type StoreUploadTestApp = Awaited<ReturnType<typeof createStoreUploadTestApp>>

/** Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createStoreUploadTestApp() {
  const store = await startS3StandIn()
  const uploads = await createUploadTestApp({ s3: store.options, secret: 's'.repeat(40) })
  const { server, admin, rowOf, sweep } = uploads

  const address = (
    { id }: Pick<Signed, 'id'>,
    numbers: number[],
    { who = admin, through_server = false } = {},
  ) => who.call(signUploadParts, { params: { id }, body: { numbers, through_server } })

  return {
    ...uploads,
    store,
    address,
    list: ({ id }: Pick<Signed, 'id'>, who = admin) =>
      who.call(listUploadParts, { params: { id } }),
    complete: ({ id }: Pick<Signed, 'id'>, sha256?: string, who = admin) =>
      who.call(completeUploadParts, { params: { id }, body: sha256 ? { sha256 } : {} }),
    /** Sends parts directly to the store, as a browser does. */
    async bring(signed: Signed, bytes: Buffer, numbers: number[]): Promise<void> {
      const { body } = await address(signed, numbers)
      for (const { number, url } of body.data) {
        expect(new URL(url).origin).toBe(store.options.endpoint)
        const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(cut(bytes, number)) })
        expect(answer.status).toBe(200)
      }
    },
    /** Sends a part through the server. */
    pass: (url: string, body: Buffer, { who = admin }: { who?: Person } = {}) =>
      sendBody({
        url,
        method: 'PUT',
        headers: { cookie: who.cookie, 'content-type': 'application/octet-stream' },
        body,
      }),
    async nothingRemains(signed: Signed): Promise<void> {
      await sweep()
      expect(await rowOf(signed)).toBeUndefined()
      expect(await keysOf(server.services.storage, signed.path)).toEqual([])
      expect(await store.countUnfinished()).toBe(0)
    },
    /** Starts another instance, which proxies parts instead of returning the store's URLs. */
    async startOther() {
      const dataDir = await mkdtemp(join(tmpdir(), 'velour-other-'))
      const log = pino({ level: 'fatal' })
      const config = { ...server.services.config, dataDir, s3Upload: 'proxy' as const }
      const running = await startServices(config, log, { now: uploads.now })
      const app = await createApp(running.services, { log, webFolder: null, strictOutput: true })
      await app.listen({ host: '127.0.0.1', port: 0 })
      return {
        url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
        dataDir,
        async close() {
          running.announceStop()
          app.server.closeAllConnections()
          await app.close()
          await running.close()
          await rm(dataDir, { recursive: true })
        },
      }
    },
    async close() {
      await uploads.close()
      await store.close()
    },
  }
}

export const cut = (bytes: Buffer, number: number) =>
  bytes.subarray((number - 1) * partBytes, number * partBytes)
