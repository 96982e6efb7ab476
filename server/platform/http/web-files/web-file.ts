// One file of the web app, held in memory with its compressed forms, and the function that sends it.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface WebFile {
  type: string
  bytes: Buffer
  brotli: Buffer | null
  gzip: Buffer | null
  etag: string
  cacheControl: string
  /** Names of the request headers on which the response depends. */
  vary: string
}

export function sendWebFile(request: FastifyRequest, reply: FastifyReply, file: WebFile) {
  reply
    .header('content-type', file.type)
    .header('cache-control', file.cacheControl)
    .header('vary', file.vary)
    .header('etag', file.etag)
  const isFound = reply.statusCode === 200
  if (isFound && request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (file.brotli && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(file.brotli)
  }
  if (file.gzip && /\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(file.gzip)
  }
  return reply.send(file.bytes)
}

export function computeEtag(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}
