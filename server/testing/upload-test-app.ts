// For tests: a server, people, and uploads that are sent without a client library, which would correct wrong lengths.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createSignedUpload } from '#contract/uploads.ts'
import { sweepStorageGarbage } from '../platform/storage/storage-garbage.ts'
import { sendBody, type BodyResponse } from './send-body.ts'
import { createTestApp, type Person } from './test-app.ts'
import { sweepUploads } from '../features/uploads/sweep-uploads.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

export interface Signed {
  id: string
  path: string
  uploadUrl: string
  uploadToken: string
  publicUrl: string
  transport: string | null
}

export type UploadTestApp = Awaited<ReturnType<typeof createUploadTestApp>>

/** Creates the app. Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createUploadTestApp(config: Parameters<typeof createTestApp>[0] = {}) {
  /** How far the server's clock is ahead of the real time. */
  const clock = { passedMs: 0 }
  const now = () => new Date(Date.now() + clock.passedMs)
  const server = await createTestApp(config, { now })
  const { services } = server
  const admin = await server.makePerson({ role: 'admin' })
  const member = await server.makePerson()

  const ask = (body: object, who: Pick<Person, 'send'> = admin) =>
    who.send('POST', createSignedUpload.path, {
      body: { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', ...body },
    })

  /** Sends a body unchanged. A stream is sent in chunks, without a length. */
  const send = (
    method: string,
    { uploadUrl, uploadToken }: Partial<Signed>,
    body: Buffer | Readable | null,
    headers: Record<string, string> = {},
  ): Promise<BodyResponse> =>
    sendBody({
      url: `${server.url}${uploadUrl}`,
      method,
      headers: {
        cookie: admin.cookie,
        'content-type': 'audio/wav',
        ...(uploadToken && { 'upload-token': uploadToken }),
        ...headers,
      },
      body,
    })

  return {
    server,
    admin,
    member,
    clock,
    now,
    ask,
    send,
    async sign(body: object = {}): Promise<Signed> {
      const response = await ask(body)
      if (response.status !== 201) throw new Error(`Refused: ${response.code}`)
      const signed = response.body as Omit<Signed, 'id'>
      return { ...signed, id: signed.uploadUrl.split('/').at(-1)! }
    },
    put: (signed: Partial<Signed>, body: Buffer | Readable, headers?: Record<string, string>) =>
      send('PUT', signed, body, headers),
    rowOf: ({ path }: Signed) =>
      services.db.query
        .selectFrom('uploads')
        .selectAll()
        .where('path', '=', path)
        .executeTakeFirst(),
    stored: async ({ path }: Signed) =>
      (await services.storage.stat(path)) ? services.storage.read(path) : null,
    /** Returns the names of temporary files in the storage. */
    async scratch(): Promise<string[]> {
      const folder = join(services.config.dataDir, 'storage', 'tmp')
      const [own] = await readdir(folder)
      return readdir(join(folder, own!))
    },
    async sweep(): Promise<void> {
      await sweepUploads(services, now())
      await sweepStorageGarbage(services.db, services.storage, now())
    },
    close: () => server.close(),
  }
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export function* splitIntoChunks(byteSize: number) {
  for (let left = byteSize; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536))
}
