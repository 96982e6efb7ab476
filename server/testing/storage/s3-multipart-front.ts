// Adds features that the small S3 server lacks, with its folder: listing parts and unfinished uploads, aborting
// uploads, and refusing unsigned URLs and missing parts. Forwards all other requests to that server.
import { once } from 'node:events'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isValidPresignedRequest } from './check-presigned.ts'

export interface S3Front {
  listUnfinished: () => Promise<UnfinishedUpload[]>
  close: () => Promise<void>
}

interface UnfinishedUpload {
  key: string
  uploadId: string
  begunAt: Date
}

/** `bucketFolder` is the folder in which the S3 server on `port` stores the bucket. */
export async function startS3Front(options: {
  bucketFolder: string
  port: number
  ownPort: number
  secretAccessKey: string
}): Promise<S3Front> {
  const folder = join(options.bucketFolder, '._S3rver_uploads')
  // Completions and aborts run one after the other, because the S3 server crashes if the same upload is completed or
  // aborted twice concurrently.
  let lastEnding: Promise<unknown> = Promise.resolve()
  const server = createServer(async (request, response) => {
    const isPreflight = request.method === 'OPTIONS'
    if (!isPreflight && !isValidPresignedRequest(request, options.secretAccessKey)) {
      request.resume()
      return sendError(response, 403, 'SignatureDoesNotMatch')
    }
    if (!endsUpload(request)) return serve(request, response)
    lastEnding = lastEnding.then(() => serve(request, response))
    await lastEnding
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const isAnswered = await respond(folder, request, response)
      if (isAnswered === false) await pass(options.port, request, response)
      else if (isAnswered !== true) await pass(options.port, request, response, isAnswered)
    } catch {
      response.destroy()
    }
  }
  server.listen(options.ownPort, '127.0.0.1')
  await once(server, 'listening')
  return { listUnfinished: () => unfinishedIn(folder), close: () => closeServer(server) }
}

function endsUpload({ method, url }: IncomingMessage): boolean {
  const isEnd = method === 'POST' || method === 'DELETE'
  return isEnd && new URL(url ?? '/', 'http://localhost').searchParams.has('uploadId')
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** Responds to the requests listed above. Returns false for other requests, or their body if it was already read. */
async function respond(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean | Buffer> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const uploadId = searchParams.get('uploadId')
  if (request.method === 'GET' && searchParams.has('uploads')) {
    const all = await unfinishedIn(folder)
    const found = all.filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''))
    const uploads = found.map(
      ({ key, uploadId: id, begunAt }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
    )
    sendXml(
      response,
      200,
      `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`,
    )
    return true
  }
  if (uploadId === null || request.method === 'OPTIONS') return false
  const own = join(folder, uploadId)
  const isThere =
    /^\w+$/.test(uploadId) && (await stat(join(own, 'key')).catch(() => null)) !== null
  if (!isThere) {
    request.resume()
    sendError(response, 404, 'NoSuchUpload')
    return true
  }
  if (request.method === 'GET') {
    const found = await partsIn(own)
    const parts = found.map(
      ({ number, md5, size }) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>"${md5}"</ETag><Size>${size}</Size></Part>`,
    )
    sendXml(response, 200, `<ListPartsResult>${parts.join('')}</ListPartsResult>`)
    return true
  }
  if (request.method === 'POST') {
    const body = await buffer(request)
    const problem = findWrongPart(body.toString(), await partsIn(own))
    if (problem === null) return body
    sendError(response, 400, problem)
    return true
  }
  if (request.method !== 'DELETE') return false
  await rm(own, { recursive: true, force: true, maxRetries: 3 })
  response.writeHead(204).end()
  return true
}

interface Part {
  number: string
  md5: string
  size: number
}

/** A part is complete if its checksum file exists. */
async function partsIn(folder: string): Promise<Part[]> {
  const names = await readdir(folder)
  const numbers = names.filter((name) => /^\d+$/.test(name) && names.includes(`${name}.md5`))
  return Promise.all(
    numbers
      .toSorted((a, b) => Number(a) - Number(b))
      .map(async (number) => {
        const { size } = await stat(join(folder, number))
        return { number, size, md5: await readFile(join(folder, `${number}.md5`), 'utf8') }
      }),
  )
}

const minPartBytes = 5 * 1024 * 1024

/** Returns the error code for an invalid list of parts, or null if the list is valid. */
function findWrongPart(xml: string, there: Part[]): string | null {
  const wanted = [...xml.matchAll(/<Part>([\s\S]*?)<\/Part>/g)].map(([, part = '']) => ({
    number: /<PartNumber>(\d+)/.exec(part)?.[1],
    md5: /<ETag>(?:"|&quot;|&#34;)?([0-9a-f]+)/.exec(part)?.[1],
  }))
  const found = wanted.map(({ number, md5 }) =>
    there.find((part) => part.number === number && part.md5 === md5),
  )
  if (found.length === 0 || found.includes(undefined)) return 'InvalidPart'
  return found.slice(0, -1).some((part) => part!.size < minPartBytes) ? 'EntityTooSmall' : null
}

/** An interrupted part may recreate the folder of a deleted upload, but not the file with its key. */
async function unfinishedIn(folder: string): Promise<UnfinishedUpload[]> {
  const ids = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    ids.map(async (uploadId) => {
      const file = join(folder, uploadId, 'key')
      const key = await readFile(file, 'utf8').catch(() => null)
      const stats = await stat(file).catch(() => null)
      return key === null || stats === null ? [] : [{ uploadId, key, begunAt: stats.mtime }]
    }),
  )
  return found.flat()
}

async function pass(
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
  body?: Buffer,
): Promise<void> {
  const { method, url: path, headers } = request
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers })
  // If the client disconnects, abort the forwarded request too.
  request.on('close', () => {
    if (!request.complete) onward.destroy()
  })
  onward.on('error', () => response.destroy())
  if (body) onward.end(body)
  else request.pipe(onward)
  const [reply] = (await once(onward, 'response')) as [IncomingMessage]
  response.writeHead(reply.statusCode ?? 502, reply.headers)
  await pipeline(reply, response)
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>Refused</Message></Error>`)
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)
}
