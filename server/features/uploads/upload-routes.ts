// Upload routes: a whole file by PUT, or parts by the tus protocol 1.0.0. The token is checked before anything is
// written.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  createSignedUpload,
  sendUpload,
  sendUploadPart,
  startUploadParts,
  stopUpload,
  uploadMaxBytes,
} from '#contract/uploads.ts'
import {
  completeUploadParts,
  listUploadParts,
  passUploadPart,
  signUploadParts,
} from '#contract/upload-parts.ts'
import { requireAdmin } from '../../platform/http/admit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { createUpload, receiveUpload, type UploadServices } from './upload-operations.ts'
import { completeParts, listParts, passPart, signParts } from './upload-part-operations.ts'
import { createUploadParts } from './upload-parts.ts'
import { findOpenRow } from './partial-files.ts'
import { dropBody, passBody } from './request-body.ts'
import { forgetUpload } from './sweep-uploads.ts'
import { UploadSenders, type SendingTurn } from './upload-senders.ts'
import { authorizeUpload, findByToken, tokenHeader, type TokenUpload } from './upload-token.ts'

export function uploadRoutes(
  route: Route,
  app: FastifyInstance,
  services: UploadServices & { settings: Pick<SettingsCache, 'current'> },
): void {
  // The bytes stay on the stream, for the operation to take.
  app.addContentTypeParser(
    /^(?:audio|image|video)\/|^application\/(?:octet-stream|offset\+octet-stream|ogg|mp4)/,
    (_request, _payload, done) => done(null),
  )
  const senders = new UploadSenders()
  const parts = createUploadParts(services, senders)
  const authorize = (id: string, request: FastifyRequest) =>
    authorizeUpload(services, id, request.headers[tokenHeader])

  route(createSignedUpload, async (ctx, input) => {
    if (input.body.bucket === 'audio') {
      requireAdmin(ctx.actor, services.settings.current().admins_need_two_factor)
    }
    const {
      id: _id,
      byte_size: _size,
      bucket: _bucket,
      ...answer
    } = await createUpload(services, ctx, input)
    return answer
  })

  route.raw(sendUpload, async (_ctx, { params }, request, reply) => {
    const upload = await authorize(params.id, request)
    if (upload.store_upload_id !== null) throw new AppError('upload_transport')
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > (upload.byte_size ?? uploadMaxBytes[upload.bucket])) {
      throw new AppError('payload_too_large')
    }
    let turn: SendingTurn | undefined
    try {
      turn = await senders.take(upload.id, () => request.raw.destroy())
      // Another sender may have finished just now.
      await findOpenRow(services, upload.id)
      await services.disk.refuseWhenFull(announced)
      await receiveUpload(services, upload, { body: request.raw, heard: turn.heard })
      await parts.discard(upload.id)
    } catch (error) {
      // A client reads the response only after it has sent everything.
      request.raw.resume()
      throw error
    } finally {
      turn?.end()
    }
    return reply.code(204).send()
  })

  const answerPart = async (id: string, request: FastifyRequest, reply: FastifyReply) =>
    sendResponse(reply, await parts.answer(request, await authorize(id, request)))
  route.raw(stopUpload, async (_ctx, { params }, request, reply) => {
    const upload = await authorize(params.id, request)
    const response = services.storage.parts ? null : await parts.answer(request, upload)
    await forgetUpload(services.db, params.id)
    return response ? sendResponse(reply, response) : reply.code(204).send()
  })
  for (const endpoint of [startUploadParts, sendUploadPart] as const) {
    route.raw(endpoint, async (_ctx, { params }, request, reply) => {
      const upload = await authorize(params.id, request)
      try {
        refuseStore(services)
        await services.disk.refuseWhenFull()
      } catch (error) {
        // A client reads the response only after it has sent everything.
        request.raw.resume()
        throw error
      }
      return sendResponse(reply, await parts.answer(request, upload))
    })
  }

  route(listUploadParts, (ctx, input) => listParts(services, ctx, input))
  route(signUploadParts, (ctx, input) => signParts(services, ctx, input))
  route(completeUploadParts, (ctx, input) => completeParts(services, ctx, input))
  route.raw(passUploadPart, async (ctx, { params }, request, reply) => {
    const length = request.headers['content-length']
    const announced = length === undefined ? null : Number(length)
    const stream = passBody(request)
    try {
      await passPart(services, ctx, params, { stream, announced })
    } catch (cause) {
      dropBody(request, stream)
      const isCutOff = request.raw.destroyed && !request.raw.readableEnded
      throw isCutOff ? new AppError('upload_incomplete', { cause }) : cause
    }
    return reply.code(204).send()
  })

  // Returns how much has arrived. Authorized by the token, like the parts.
  app.head<{ Params: { id: string } }>(sendUpload.path, async (request, reply) => {
    const id = z.safeParse(z.uuid(), request.params.id)
    if (!id.success) throw new AppError('not_found')
    const upload = await findByToken(services, id.data, request.headers[tokenHeader])
    // Tells a client that missed the last response that the file is complete.
    if (upload.status !== 'open' || (await parts.finishIfWhole(upload)))
      return sendWhole(reply, upload)
    refuseStore(services)
    return answerPart(id.data, request, reply)
  })
}

/** Parts in a local folder would be known to one instance only. */
function refuseStore({ storage }: UploadServices): void {
  if (storage.parts) throw new AppError('upload_transport')
}

function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send()
}

function sendWhole(reply: FastifyReply, { byte_size }: TokenUpload): FastifyReply {
  const length = String(byte_size)
  return reply
    .headers({
      'tus-resumable': '1.0.0',
      'upload-offset': length,
      'upload-length': length,
      'cache-control': 'no-store',
    })
    .send()
}
