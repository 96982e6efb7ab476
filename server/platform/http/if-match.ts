// If-Match (RFC 9110, section 13.1.1): contains the version on which a save is based, like the field `version` of the
// body.
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '../operations/app-error.ts'
import { acceptsIfMatch } from './request-headers.ts'

/** The version in the header. Null if there is no header, or if the header accepts any version. */
export function readIfMatch(endpoint: Endpoint, request: FastifyRequest): number | null {
  const value = request.headers['if-match']
  if (value === undefined || value === '*' || !acceptsIfMatch(endpoint)) return null
  const version = /^"(\d{1,9})"$/.exec(value)?.[1]
  // A weak tag or a list of tags does not identify one version.
  if (version === undefined) throw new AppError('precondition_failed')
  return Number(version)
}

/** Returns the body with the version of the header. */
export function withVersion(body: unknown, version: number): unknown {
  if (typeof body !== 'object' || body === null) return body
  const named: unknown = Reflect.get(body, 'version')
  if (named === undefined || named === version) return { ...body, version }
  throw new AppError('invalid_input', {
    details: [{ field: 'version', message: 'Not the version of If-Match' }],
  })
}

/** Runs the operation and converts a version conflict to `precondition_failed`. */
export async function withPrecondition<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'changed_meanwhile') throw error
    throw new AppError('precondition_failed', { details: error.details, cause: error })
  }
}
