// The ways in for files: a whole one by PUT, or parts by the tus protocol 1.0.0, which goes on where
// it was after a lost connection or a killed server.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server, Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { createSignedUpload, sendUpload, sendUploadPart, stopUpload } from '#contract/uploads.ts'
import { AppError } from '../http/app-error.ts'
import { sendError } from '../http/error-handler.ts'
import type { Route } from '../http/route.ts'
import {
  authorizeUpload,
  completeUpload,
  createUpload,
  findOpenUpload,
  partialFolder,
  receiveUpload,
  type OpenUpload,
  type UploadServices,
} from './upload-operations.ts'

const tokenHeader = 'upload-token'

export function uploadRoutes(route: Route, app: FastifyInstance, services: UploadServices): void {
  // The bytes stay on the stream, for the operation to take.
  app.addContentTypeParser(
    /^(?:audio|image|video)\/|^application\/(?:octet-stream|offset\+octet-stream|ogg)/,
    (_request, _payload, done) => done(null),
  )
  const store = new FileStore({ directory: partialFolder(services) })
  const tus = createTus(services, store)

  route(createSignedUpload, async (ctx, input) => {
    const { id, byte_size, bucket: _, ...answer } = await createUpload(services, ctx, input)
    // With a known size the upload is ready to take parts.
    if (byte_size !== null) await store.create(new Upload({ id, size: byte_size, offset: 0 }))
    return answer
  })
  route.raw(sendUpload, async (_ctx, { params }, request, reply) => {
    const upload = await authorize(services, params.id, request)
    const declared = Number(request.headers['content-length'] ?? Number.NaN)
    if (upload.byte_size !== null && declared > upload.byte_size) {
      throw new AppError('payload_too_large')
    }
    await receiveUpload(services, upload, request.raw)
    if (upload.byte_size !== null) await store.remove(upload.id)
    return reply.code(204).send()
  })
  const passOn = async (id: string, request: FastifyRequest, reply: FastifyReply) => {
    const upload = await authorize(services, id, request)
    if (upload.byte_size === null) throw new AppError('upload_incomplete')
    reply.hijack()
    await tus.handle(request.raw, reply.raw)
  }
  route.raw(sendUploadPart, (_ctx, { params }, request, reply) => passOn(params.id, request, reply))
  route.raw(stopUpload, (_ctx, { params }, request, reply) => passOn(params.id, request, reply))
  // Asks how much has arrived. Its rights are the token's, like those of the parts.
  app.head<{ Params: { id: string } }>(sendUpload.path, async (request, reply) => {
    try {
      if (!z.safeParse(z.uuid(), request.params.id).success) throw new AppError('not_found')
      const upload = await authorize(services, request.params.id, request)
      if (await isWhole(services, upload)) {
        await finishParts(services, store, upload)
        const length = String(upload.byte_size)
        return reply
          .headers({ 'tus-resumable': '1.0.0', 'upload-offset': length, 'upload-length': length })
          .send()
      }
      await passOn(request.params.id, request, reply)
    } catch (error) {
      if (error instanceof AppError) return sendError(reply, error)
      throw error
    }
  })
}

function authorize(
  services: UploadServices,
  id: string,
  request: FastifyRequest,
): Promise<OpenUpload> {
  const token = request.headers[tokenHeader]
  return authorizeUpload(services, id, typeof token === 'string' ? token : undefined)
}

async function finishParts(
  services: UploadServices,
  store: FileStore,
  upload: OpenUpload,
): Promise<void> {
  await completeUpload(services, upload, join(partialFolder(services), upload.id))
  await store.configstore.delete(upload.id)
}

/** All bytes arrived, but the server was killed before it could say so. */
async function isWhole(services: UploadServices, upload: OpenUpload): Promise<boolean> {
  try {
    const { size } = await stat(join(partialFolder(services), upload.id))
    return size === upload.byte_size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function createTus(services: UploadServices, store: FileStore): Server {
  return new Server({
    path: '/api/uploads',
    datastore: store,
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    // The last part is acknowledged only when the whole file is in storage.
    async onUploadFinish(_request, { id }) {
      await finishParts(services, store, await findOpenUpload(services, id))
      return {}
    },
    onResponseError(_request, error) {
      if (!(error instanceof AppError)) return undefined
      return { status_code: error.status, body: JSON.stringify(error.toBody()) }
    },
  })
}
