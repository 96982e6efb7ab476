// Checks the fake responses of tests against the contract, so that a test can't pass with data no server sends.
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { findUnknownFields } from '#contract/unknown-fields.ts'

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../contract/**/*.ts', '!../../contract/**/*.test.ts'],
  { eager: true },
)

const endpoints = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isEndpoint)
  .map((endpoint) => ({ endpoint, path: pathPattern(endpoint.path) }))

z.config(z.locales.en())

/**
 * Describes how a fake response violates the contract; returns undefined if it is valid. A value of undefined stands
 * for a response without a body.
 */
export function findResponseProblem(operation: string, value: unknown): string | undefined {
  const [method = '', path = ''] = operation.split(' ')
  const endpoint = findEndpoint(method, path)
  if (!endpoint) return `${operation} is not an operation of the contract`
  if (!endpoint.output) {
    return value === undefined ? undefined : `${operation} has no JSON response`
  }
  if (value === undefined) return `${operation} has a JSON response`
  const { success, error } = z.safeParse(endpoint.output, value)
  return success ? undefined : `${operation} has no such response: ${z.prettifyError(error)}`
}

/** The fields of a request body that the operation doesn't accept. The server would reject the request. */
export function findRequestProblem(operation: string, body: unknown): string | undefined {
  const [method = '', path = ''] = operation.split(' ')
  const schema = findEndpoint(method, path)?.body
  const unknown = schema ? findUnknownFields(schema, body) : []
  return unknown.length > 0 ? `${operation} has no field ${unknown.join(', ')}` : undefined
}

/** Prefers a path without parameters: `/api/playlists/summary` before `/api/playlists/:id`. */
function findEndpoint(method: string, path: string): Endpoint | undefined {
  const matches = endpoints
    .filter((one) => one.endpoint.method === method && one.path.test(path))
    .map(({ endpoint }) => endpoint)
  return matches.find((endpoint) => !endpoint.path.includes(':')) ?? matches[0]
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[a-z_]+/gi, '[^/]+')}$`)
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
