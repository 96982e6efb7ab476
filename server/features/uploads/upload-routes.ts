// Upload routes: a whole file by PUT, or parts by the tus protocol 1.0.0. The token is checked before anything is
// written.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { uploadMaxBytes } from '#contract/uploads.ts'
import * as uploadsContract from '#contract/uploads.ts'
import * as uploadPartsContract from '#contract/upload-parts.ts'
import { requireAdmin } from '../../platform/http/admit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { createUpload, receiveUpload, type UploadServices } from './upload-operations.ts'
import {
  completeUploadParts,
  listUploadParts,
  forwardPart,
  signUploadParts,
} from './upload-part-operations.ts'
import { createUploadParts, type UploadParts } from './upload-parts.ts'
import { findOpenRow } from './partial-files.ts'
import { dropBody, passBody } from './request-body.ts'
import { forgetUpload } from './sweep-uploads.ts'
import { UploadSenders, type SendingTurn } from './upload-senders.ts'
import { authorizeUpload, findByToken, tokenHeader, type TokenUpload } from './upload-token.ts'

type UploadRouteServices = UploadServices & { settings: Pick<SettingsCache, 'current'> }

interface Receiver {
  services: UploadRouteServices
  senders: UploadSenders
  parts: UploadParts
}

export function uploadRoutes(
  route: Route,
  app: FastifyInstance,
  services: UploadRouteServices,
): void {
  // The bytes stay on the stream, for the operation to take.
  app.addContentTypeParser(
    /^(?:audio|image|video)\/|^application\/(?:octet-stream|offset\+octet-stream|ogg|mp4)/,
    (_request, _payload, done) => done(null),
  )
  const senders = new UploadSenders()
  const receiver = { services, senders, parts: createUploadParts(services, senders) }

  route(uploadsContract.createSignedUpload, (ctx, input) =>
    createSignedUpload(services, ctx, input),
  )
  route.raw(uploadsContract.sendUpload, (_ctx, { params }, request, reply) =>
    sendUpload(receiver, params.id, request, reply),
  )
  route.raw(uploadsContract.stopUpload, (_ctx, { params }, request, reply) =>
    stopUpload(receiver, params.id, request, reply),
  )
  route.raw(uploadsContract.startUploadParts, (_ctx, { params }, request, reply) =>
    startUploadParts(receiver, params.id, request, reply),
  )
  route.raw(uploadsContract.sendUploadPart, (_ctx, { params }, request, reply) =>
    sendUploadPart(receiver, params.id, request, reply),
  )
  route(uploadPartsContract.listUploadParts, (ctx, input) => listUploadParts(services, ctx, input))
  route(uploadPartsContract.signUploadParts, (ctx, input) => signUploadParts(services, ctx, input))
  route(uploadPartsContract.completeUploadParts, (ctx, input) =>
    completeUploadParts(services, ctx, input),
  )
  route.raw(uploadPartsContract.passUploadPart, async (ctx, { params }, request, reply) => {
    await passUploadPart(services, ctx, params, request)
    return reply.code(204).send()
  })
  // Returns how much has arrived. Authorized by the token, like the parts.
  app.head<{ Params: { id: string } }>(uploadsContract.sendUpload.path, (request, reply) =>
    findUploadOffset(receiver, request.params.id, request, reply),
  )
}

async function createSignedUpload(
  services: UploadRouteServices,
  ctx: MemberContext,
  input: ParsedInput<typeof uploadsContract.createSignedUpload>,
): Promise<Output<typeof uploadsContract.createSignedUpload>> {
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
}

async function sendUpload(
  { services, senders, parts }: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const upload = await authorize(services, id, request)
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
}

async function stopUpload(
  { services, parts }: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const upload = await authorize(services, id, request)
  const response = services.storage.parts ? null : await parts.answer(request, upload)
  await forgetUpload(services.db, id)
  return response ? sendResponse(reply, response) : reply.code(204).send()
}

/** The request of tus that creates an upload; it may carry the first bytes. */
function startUploadParts(
  receiver: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendUploadPart(receiver, id, request, reply)
}

async function sendUploadPart(
  { services, parts }: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const upload = await authorize(services, id, request)
  try {
    refuseStore(services)
    await services.disk.refuseWhenFull()
  } catch (error) {
    // A client reads the response only after it has sent everything.
    request.raw.resume()
    throw error
  }
  return sendResponse(reply, await parts.answer(request, upload))
}

async function passUploadPart(
  services: UploadRouteServices,
  ctx: MemberContext,
  params: ParsedInput<typeof uploadPartsContract.passUploadPart>['params'],
  request: FastifyRequest,
): Promise<void> {
  const length = request.headers['content-length']
  const announced = length === undefined ? null : Number(length)
  const stream = passBody(request)
  try {
    await forwardPart(services, ctx, params, { stream, announced })
  } catch (cause) {
    dropBody(request, stream)
    const isCutOff = request.raw.destroyed && !request.raw.readableEnded
    throw isCutOff ? new AppError('upload_incomplete', { cause }) : cause
  }
}

async function findUploadOffset(
  { services, parts }: Receiver,
  idParam: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const id = z.safeParse(z.uuid(), idParam)
  if (!id.success) throw new AppError('not_found')
  const upload = await findByToken(services, id.data, request.headers[tokenHeader])
  // Tells a client that missed the last response that the file is complete.
  if (upload.status !== 'open' || (await parts.finishIfWhole(upload)))
    return sendWhole(reply, upload)
  refuseStore(services)
  const authorized = await authorize(services, id.data, request)
  return sendResponse(reply, await parts.answer(request, authorized))
}

function authorize(services: UploadRouteServices, id: string, request: FastifyRequest) {
  return authorizeUpload(services, id, request.headers[tokenHeader])
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
