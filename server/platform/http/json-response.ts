// Builds the response of an operation that returns JSON: status, text, and the headers that depend on them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { JsonText, ReadyJson } from '../db/ready-json.ts'
import { matchesFields, readField } from './body-fields.ts'
import { linkToNextPage } from './next-page.ts'

export interface JsonResponse {
  status: number
  /** Undefined if there is no body. */
  body: Buffer | string | undefined
}

export function getSuccessStatus({ output, creates }: Endpoint, body: unknown): number {
  if (!output) return 204
  if (!creates) return 200
  return creates === true || matchesFields(creates, body) ? 201 : 200
}

export function sendResponse(
  endpoint: Endpoint,
  query: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: JsonResponse,
): FastifyReply {
  reply.code(status)
  if (body === undefined) return reply.send()
  reply.header('content-type', 'application/json; charset=utf-8')
  // Responses must not be served from a shared cache.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  const { versionAt } = endpoint
  const version = versionAt && readField(JSON.parse(body.toString()), versionAt)
  if (typeof version === 'number') reply.header('etag', `"${version}"`)
  const next = linkToNextPage(endpoint, request, query as Record<string, unknown>, body)
  if (next) reply.header('link', next)
  return reply.send(body)
}

/** If `strict` is set, a field that the contract lacks is an error. */
export function encodeResponse(
  endpoint: Endpoint,
  response: unknown,
  strict: boolean,
): Buffer | string | undefined {
  if (!endpoint.output) return undefined
  if (response instanceof ReadyJson || response instanceof JsonText) {
    const written = response instanceof JsonText ? response.text : response.bytes
    if (strict) encodeChecked(endpoint, JSON.parse(written.toString()), strict)
    return written
  }
  return encodeChecked(endpoint, response, strict)
}

function encodeChecked(endpoint: Endpoint, response: unknown, strict: boolean): string {
  const parsed = endpoint.output && z.parse(endpoint.output, response)
  const text = JSON.stringify(parsed)
  if (strict) refuseDroppedFields(endpoint, text, response)
  return text
}

function refuseDroppedFields(endpoint: Endpoint, text: string, response: unknown): void {
  const sortKeys = (_key: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  const kept = JSON.stringify(JSON.parse(text), sortKeys)
  const given = JSON.stringify(JSON.parse(JSON.stringify(response)), sortKeys)
  if (kept !== given) {
    throw new Error(`${endpoint.method} ${endpoint.path} returned fields beyond its contract`)
  }
}
