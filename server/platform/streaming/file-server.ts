// Serves stored objects with ranges, conditional requests and HEAD, in the same way as nginx serves files. Callers
// check the permissions first.
import { randomInt } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../operations/app-error.ts'
import { isStorageError, type Storage } from '../storage/storage.ts'
import { formatContentRange, parseRange, type ByteRange } from './byte-range.ts'
import { createBodySender, type BodyPart } from './stream-body.ts'
import { evaluateConditions, mayUseRange } from './stream-conditions.ts'
import { createHandleCache, type Handle } from './stream-handles.ts'

/** How an object is served. */
export interface ServedFile {
  key: string
  mime: string
  /** Value of the Cache-Control header. */
  cacheControl: string
  /** Value of the Vary header. */
  vary?: string
  /** Called for each chunk with the number of bytes that the kernel accepted and the size of the object. */
  onSent?: (bytes: number, byteSize: number) => void
  /** The error code for a missing object. */
  missing?: ErrorCode
}

export interface FileServer {
  /**
   * Sends the object or the requested ranges. Throws `not_found` (or `missing`), `range_not_satisfiable` and
   * `precondition_failed`.
   */
  send(request: FastifyRequest, reply: FastifyReply, file: ServedFile): Promise<FastifyReply>
  /** Ends all responses in progress after the bytes already written. Later requests are served again. */
  cut(): Promise<void>
  /** Ends all responses, refuses new ones and closes the files. It can't be started again. */
  stop(): Promise<void>
  stats(): { activeResponses: number; openFiles: number }
}

const maxCachedFiles = 512
const idleMs = 5 * 60_000
const closeIdleEveryMs = 60_000
const defaultStalledMs = 5 * 60_000

export function createFileServer(options: {
  storage: Storage
  log: Pick<FastifyBaseLogger, 'warn'>
  /** A connection that accepts no bytes for this many milliseconds is closed. */
  stalledMs?: number
}): FileServer {
  const { storage, log, stalledMs = defaultStalledMs } = options
  const sender = createBodySender()
  const handles = createHandleCache(storage, {
    maxKept: maxCachedFiles,
    idleMs,
    onCloseError: (error) => log.warn({ err: error }, 'closing a file failed'),
  })
  let isStopped = false
  const closingIdle = setInterval(() => handles.closeIdle(), closeIdleEveryMs).unref()

  async function acquire(request: FastifyRequest, file: ServedFile): Promise<Handle> {
    if (isStopped) throw new AppError('unavailable')
    try {
      return await handles.acquire(file.key)
    } catch (error) {
      if (!isStorageError(error, 'not_found')) throw error
      request.log.warn({ storage_key: file.key }, 'a stored object is missing')
      throw new AppError(file.missing ?? 'not_found', { cause: error })
    }
  }

  return {
    async send(request, reply, file) {
      const handle = await acquire(request, file)
      try {
        const response = decideResponse(request, file, handle)
        reply.code(response.status).headers(response.headers)
        const writeHead = () => {
          reply.hijack()
          reply.raw.writeHead(response.status, reply.getHeaders() as OutgoingHttpHeaders)
        }
        if (request.method === 'HEAD' || response.parts.length === 0) {
          writeHead()
          reply.raw.end()
          return reply
        }
        const { object } = handle
        const onSent = file.onSent && ((bytes: number) => file.onSent?.(bytes, object.byteSize))
        reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
        await sender.send({ res: reply.raw, object, writeHead, onSent, ...response })
      } catch (error) {
        if (!reply.sent) throw error
        // The headers are already sent, so closing the connection is the only way to tell the client that the body is
        // incomplete.
        request.log.error({ err: error, storage_key: file.key }, 'a stream was cut off')
        reply.raw.destroy()
      } finally {
        handle.release()
      }
      return reply
    },

    cut: () => sender.cutAll(),

    async stop() {
      isStopped = true
      clearInterval(closingIdle)
      await sender.cutAll()
      handles.close()
    },

    stats: () => ({
      activeResponses: sender.activeCount,
      openFiles: handles.openCount,
    }),
  }
}

interface ServedResponse {
  status: 200 | 206 | 304
  headers: Record<string, string | number>
  parts: BodyPart[]
  suffix?: Uint8Array
}

function decideResponse(
  request: FastifyRequest,
  file: ServedFile,
  { object }: Handle,
): ServedResponse {
  const { byteSize } = object
  const headers: ServedResponse['headers'] = {
    'accept-ranges': 'bytes',
    'cache-control': file.cacheControl,
    etag: object.etag,
    'last-modified': object.lastModified.toUTCString(),
    'x-content-type-options': 'nosniff',
    ...(file.vary ? { vary: file.vary } : {}),
  }
  const judgement = evaluateConditions(request.headers, object)
  if (judgement === 'failed') throw new AppError('precondition_failed')
  if (judgement === 'not_modified') return { status: 304, headers, parts: [] }

  const ranges = mayUseRange(request.headers, object)
    ? parseRange(request.headers.range, byteSize)
    : 'whole'
  if (ranges === 'unsatisfiable') {
    throw new AppError('range_not_satisfiable', {
      headers: { 'content-range': `bytes */${byteSize}` },
    })
  }
  if (ranges === 'whole') {
    Object.assign(headers, { 'content-type': file.mime, 'content-length': byteSize })
    return { status: 200, headers, parts: byteSize > 0 ? [{ start: 0, end: byteSize }] : [] }
  }
  if (ranges.length > 1) return severalParts(file, byteSize, headers, ranges)
  const [range] = ranges
  Object.assign(headers, {
    'content-type': file.mime,
    'content-range': formatContentRange(range, byteSize),
    'content-length': range.end - range.start,
  })
  return { status: 206, headers, parts: [range] }
}

/** Builds a multipart/byteranges response (RFC 9110 §14.6). */
function severalParts(
  file: ServedFile,
  byteSize: number,
  headers: ServedResponse['headers'],
  ranges: readonly ByteRange[],
): ServedResponse {
  const boundary = String(randomInt(2 ** 47)).padStart(20, '0')
  const parts = ranges.map((range) => ({
    ...range,
    prefix: Buffer.from(
      `\r\n--${boundary}\r\ncontent-type: ${file.mime}\r\ncontent-range: ${formatContentRange(range, byteSize)}\r\n\r\n`,
    ),
  }))
  const suffix = Buffer.from(`\r\n--${boundary}--\r\n`)
  const bodyBytes = parts.reduce(
    (sum, part) => sum + part.prefix.length + part.end - part.start,
    suffix.length,
  )
  Object.assign(headers, {
    'content-type': `multipart/byteranges; boundary=${boundary}`,
    'content-length': bodyBytes,
  })
  return { status: 206, headers, parts, suffix }
}
