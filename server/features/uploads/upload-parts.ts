// Resumable uploads by the tus protocol 1.0.0. Partial files are kept in a folder that survives restarts, so a client
// can resume after any crash.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type PassThrough } from 'node:stream'
import { Server, type Lock } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { uploadMaxBytes } from '#contract/uploads.ts'
import { hasCode } from '../../platform/storage/disk-files.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { completeUpload } from './complete-upload.ts'
import { dropBody, passBody } from './request-body.ts'
import { findOpenRow, isOpen, PartialFiles } from './partial-files.ts'
import type { UploadServices } from './upload-operations.ts'
import type { SendingTurn, UploadSenders } from './upload-senders.ts'
import type { TokenUpload } from './upload-token.ts'

export interface UploadParts {
  /** Handles one request of the protocol. Permissions are already checked. */
  answer: (request: FastifyRequest, upload: TokenUpload) => Promise<Response>
  /** Completes an upload whose bytes had all arrived before a crash. Returns false if bytes are missing. */
  finishIfWhole: (upload: TokenUpload) => Promise<boolean>
  /** Deletes the partial file of an upload that arrived another way. */
  discard: (id: string) => Promise<void>
}

/** Folder of the partial files. */
export function partialFolder(services: Pick<UploadServices, 'config'>): string {
  return join(services.config.dataDir, 'uploads')
}

export function createUploadParts(services: UploadServices, senders: UploadSenders): UploadParts {
  const folder = partialFolder(services)
  const requests = new WeakMap<object, FastifyRequest>()
  const finishing = new Map<string, Promise<void>>()
  const failures = new WeakMap<object, unknown>()

  /** The last part and a HEAD request may arrive concurrently; both use the same promise. */
  function finish(upload: Pick<TokenUpload, 'id' | 'path' | 'byte_size'>): Promise<void> {
    const running = finishing.get(upload.id)
    if (running) return running
    const started = completeUpload(services, upload, join(folder, upload.id)).finally(() =>
      finishing.delete(upload.id),
    )
    finishing.set(upload.id, started)
    return started
  }

  /** A HEAD request sends nothing, but the offset it returns is only right while nobody else sends. */
  function lockFor(webRequest: object, id: string): Lock {
    const raw = requests.get(webRequest)?.raw
    let turn: SendingTurn | undefined
    return {
      async lock() {
        const insists = raw?.method === 'DELETE'
        turn = await senders.take(id, () => raw?.destroy(), { insists })
        raw?.on('data', turn.heard)
      },
      async unlock() {
        turn?.end()
      },
    }
  }

  const tus = createTus(services, {
    folder,
    lockFor,
    onWhole: async (id) => finishing.get(id) ?? finish(await findOpenRow(services, id)),
    onError: (request, error) => void failures.set(request, error),
  })

  return {
    async answer(request, upload) {
      const body =
        request.method === 'PATCH' || request.method === 'POST' ? passBody(request) : null
      const webRequest = toWebRequest(request, body)
      requests.set(webRequest, request)
      const response = await tus.handleWeb(webRequest)
      if (response.status >= 400) {
        if (body) dropBody(request, body)
        throw toAppError(response, failures.get(webRequest))
      }
      response.headers.set('upload-expires', new Date(upload.expires_at).toUTCString())
      return response
    },
    async finishIfWhole(upload) {
      const found = await stat(join(folder, upload.id)).catch(unlessMissing)
      // A concurrent request may be moving it into storage.
      const running = finishing.get(upload.id)
      if (running) return running.then(() => true)
      // Or it was moved since the row was read.
      if (!found) return !(await isOpen(services, upload.id))
      if (found.size !== upload.byte_size) return false
      await finish(upload)
      return true
    },
    discard: (id) => rm(join(folder, id), { force: true }),
  }
}

function createTus(
  services: UploadServices,
  {
    folder,
    lockFor,
    onWhole,
    onError,
  }: {
    folder: string
    lockFor: (request: object, id: string) => Lock
    onWhole: (id: string) => Promise<void>
    onError: (request: object, error: unknown) => void
  },
): Server {
  return new Server({
    path: '/api/uploads',
    datastore: new PartialFiles(folder, services),
    relativeLocation: true,
    allowedOrigins: () => false,
    locker: (webRequest) => ({ newLock: (id) => lockFor(webRequest, id) }),
    namingFunction: (request) => new URL(request.url).pathname.split('/').at(-1) ?? '',
    async maxSize(_request, id) {
      const { bucket } = await findOpenRow(services, id ?? '')
      return uploadMaxBytes[bucket]
    },
    async onUploadCreate(_request, created) {
      const row = await findOpenRow(services, created.id)
      if (created.size === 0) throw new AppError('upload_incomplete')
      if (row.byte_size !== null && row.byte_size !== created.size) {
        throw new AppError('payload_too_large')
      }
      return {}
    },
    // The last part is acknowledged only after the whole file is in storage.
    async onUploadFinish(_request, { id }) {
      await onWhole(id)
      return {}
    },
    onResponseError(request, error) {
      onError(request, error)
      return undefined
    },
  })
}

function toWebRequest(request: FastifyRequest, body: PassThrough | null): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(new URL(request.url, 'http://localhost'), {
    method: request.method,
    headers,
    ...(body && { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' }),
  })
}

const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  403: 'invalid_input',
  404: 'not_found',
  409: 'upload_offset',
  410: 'upload_expired',
  412: 'invalid_input',
  413: 'payload_too_large',
  501: 'invalid_input',
}

/** Maps the tus library's errors to ours. */
function toAppError(response: Response, failure: unknown): unknown {
  const headers = { 'tus-resumable': '1.0.0' }
  if (failure instanceof AppError) {
    return new AppError(failure.code, {
      headers: { ...failure.headers, ...headers },
      cause: failure,
    })
  }
  if (hasCode(failure, 'ENOSPC')) return new AppError('storage_full', { headers, cause: failure })
  const isUnforeseen = failure instanceof Error && !('status_code' in failure)
  const code = isUnforeseen ? undefined : codeOfStatus[response.status]
  return code
    ? new AppError(code, { headers, cause: failure })
    : new Error('The tus library failed', { cause: failure })
}

function unlessMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null
  throw error
}
