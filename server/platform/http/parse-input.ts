// Parses the parts of a request with the schemas of its operation, and refuses invalid input.
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FieldProblem } from '#contract/errors.ts'
import { AppError } from '../operations/app-error.ts'
import { findUnknownFields } from '#contract/unknown-fields.ts'

export interface ParsedParts {
  params: unknown
  query: unknown
  body: unknown
}

export function parseInput(endpoint: Endpoint, parts: Partial<ParsedParts>): ParsedParts {
  return {
    params: parsePart('path', endpoint.params, parts.params),
    query: parsePart('query', endpoint.query, parts.query),
    body: parsePart('body', endpoint.body, parts.body, refusesUnknownFields(endpoint)),
  }
}

/** Sign-in uses better-auth's protocol, whose clients send additional fields that are ignored here. */
export function refusesUnknownFields({ path }: Pick<Endpoint, 'path'>): boolean {
  return !path.startsWith('/api/auth/')
}

function refuseUnknownFields(schema: z.ZodMiniType, value: unknown): void {
  const unknown = findUnknownFields(schema, value)
  if (unknown.length === 0) return
  const details: FieldProblem[] = unknown.map((field) => ({ field, message: 'Unknown field' }))
  throw new AppError('invalid_input', { details })
}

function parsePart(
  place: 'path' | 'query' | 'body',
  schema: z.ZodMiniType | undefined,
  value: unknown,
  refusesUnknown = true,
): unknown {
  if (!schema) return undefined
  const result = z.safeParse(schema, value ?? (place === 'body' ? undefined : {}))
  if (result.success) {
    if (place === 'body' && refusesUnknown) refuseUnknownFields(schema, value)
    const text = toText(place, result.data)
    refuseNul(place, text)
    return hasLoneSurrogate.test(text) ? toWellFormed(result.data) : result.data
  }
  // An invalid path parameter cannot identify anything, so return 404.
  if (place === 'path') throw new AppError('not_found')
  const details: FieldProblem[] = result.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }))
  throw new AppError('invalid_input', { details })
}

/**
 * Refuses U+0000, which PostgreSQL's text cannot store. Only parsed fields are checked, because dropped fields are
 * not stored.
 */
function refuseNul(place: 'path' | 'query' | 'body', text: string): void {
  if (!/(?<!\\)(?:\\\\)*\\u0000/.test(text)) return
  if (place === 'path') throw new AppError('not_found')
  throw new AppError('invalid_input', {
    details: [{ field: '', message: 'Text must not contain NUL characters' }],
  })
}

/** Lone surrogates, as JSON.stringify escapes them. If another backslash precedes the escape, it is literal text. */
const hasLoneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/**
 * Replaces lone surrogates with U+FFFD. Otherwise the database would store U+FFFD while the response still had the
 * surrogates.
 */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWellFormed(each)]))
}

/**
 * Serializes a value. JSON nested thousands of levels deep can be parsed, but exceeds the stack when it is traversed.
 */
function toText(place: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new AppError('invalid_input', { cause, details: [{ field: place, message: 'Too deep' }] })
  }
}
