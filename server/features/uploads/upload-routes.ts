// Upload routes. A whole file is sent by PUT with the upload's token; parts are sent by the upload's owner. Token or
// owner are checked before anything is written.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uploadMaxBytes } from '#contract/uploads.ts'
import * as uploadsContract from '#contract/uploads.ts'
import * as uploadPartsContract from '#contract/upload-parts.ts'
import { requireStaff } from '../../platform/http/admit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { createUpload, receiveUpload, type UploadServices } from './upload-operations.ts'
import {
  completeUploadParts,
  listUploadParts,
  sendUploadPart,
  signUploadParts,
} from './upload-parts.ts'
import { deleteUnusedUpload } from './sweep-uploads.ts'
import { createUploadSenders, type SendingTurn, type UploadSenders } from './upload-senders.ts'
import { authorizeUpload, tokenHeader, type TokenUpload } from './upload-token.ts'

type UploadRouteServices = UploadServices & { settings: Pick<SettingsCache, 'current'> }
type Receiver = UploadRouteServices & { senders: UploadSenders }

export function uploadRoutes(
  route: Route,
  app: FastifyInstance,
  services: UploadRouteServices,
): void {
  // Do not parse the body: the operation reads the stream.
  app.addContentTypeParser(
    /^(?:audio|image|video)\/|^application\/(?:octet-stream|ogg|mp4|zip|x-zip(?:-compressed)?)/,
    (_request, _payload, done) => done(null),
  )
  const receiver = { ...services, senders: createUploadSenders() }

  route(uploadsContract.createSignedUpload, (ctx, input) =>
    createSignedUpload(services, ctx, input),
  )
  route.raw(uploadsContract.sendUpload, (_ctx, { params }, request, reply) =>
    sendUpload(receiver, params.id, request, reply),
  )
  route.raw(uploadsContract.stopUpload, (_ctx, { params }, request, reply) =>
    stopUpload(receiver, params.id, request, reply),
  )
  route(uploadPartsContract.listUploadParts, (ctx, input) => listUploadParts(receiver, ctx, input))
  route(uploadPartsContract.signUploadParts, (ctx, input) => signUploadParts(receiver, ctx, input))
  route.raw(uploadPartsContract.sendUploadPart, async (ctx, input, request, reply) => {
    await receivePart(request, (sender) => sendUploadPart(receiver, ctx, input, sender))
    return reply.code(204).send()
  })
  route(uploadPartsContract.completeUploadParts, (ctx, input) =>
    completeUploadParts(receiver, ctx, input),
  )
  rejectTus(app)
}

/**
 * Browsers that still run version 0.1 use the tus protocol. This response makes them start over with uploads in parts.
 */
function rejectTus(app: FastifyInstance): void {
  const refuse = async () => {
    throw new AppError('upload_transport')
  }
  const { path: url } = uploadsContract.sendUpload
  // Runs before the body is parsed, because no parser accepts the content type of tus.
  app.route({ method: ['HEAD', 'POST', 'PATCH'], url, onRequest: refuse, handler: refuse })
}

async function createSignedUpload(
  services: UploadRouteServices,
  ctx: MemberContext,
  input: ParsedInput<typeof uploadsContract.createSignedUpload>,
): Promise<Output<typeof uploadsContract.createSignedUpload>> {
  const access = uploadsContract.uploadAccess[input.body.bucket]
  if (access !== 'member') {
    requireStaff(ctx.actor, access, services.settings.current().admins_need_two_factor)
  }
  const { byte_size: _size, bucket: _bucket, ...result } = await createUpload(services, ctx, input)
  return result
}

async function sendUpload(
  receiver: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const upload = await authorizeWhole(receiver, id, request)
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > (upload.byte_size ?? uploadMaxBytes[upload.bucket])) {
    throw new AppError('payload_too_large')
  }
  let turn: SendingTurn | undefined
  try {
    turn = await receiver.senders.take(upload.id, () => request.raw.destroy())
    // Check the upload again: another client may have sent the file while this one waited.
    await authorizeWhole(receiver, id, request)
    await receiver.disk.refuseWhenFull(announced)
    await receiveUpload(receiver, upload, { body: request.raw, onBytes: turn.noteBytes })
  } catch (error) {
    // Read and discard the rest of the body: many clients read the response only after they have sent everything.
    request.raw.resume()
    throw error
  } finally {
    turn?.end()
  }
  return reply.code(204).send()
}

/**
 * Checks the upload's token. Throws the errors of authorizeUpload, and `upload_transport` if the file is being sent in
 * parts.
 */
async function authorizeWhole(
  receiver: Receiver,
  id: string,
  request: FastifyRequest,
): Promise<TokenUpload> {
  const upload = await authorizeUpload(receiver, id, request.headers[tokenHeader])
  if (upload.store_upload_id !== null) throw new AppError('upload_transport')
  return upload
}

async function stopUpload(
  receiver: Receiver,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await authorizeUpload(receiver, id, request.headers[tokenHeader])
  await deleteUnusedUpload(receiver.db, id)
  receiver.senders.cutAll(id)
  return reply.code(204).send()
}

async function receivePart(
  request: FastifyRequest,
  store: (sender: Parameters<typeof sendUploadPart>[3]) => Promise<void>,
): Promise<void> {
  const { raw, headers } = request
  const length = headers['content-length']
  const announced = length === undefined ? null : Number(length)
  try {
    await store({ body: raw, announced, cut: () => raw.destroy() })
  } catch (cause) {
    // Read and discard the rest of the body: many clients read the response only after they have sent everything.
    raw.resume()
    const isCutOff = raw.destroyed && !raw.readableEnded
    throw isCutOff ? new AppError('upload_incomplete', { cause }) : cause
  }
}
