// Every error leaves through here: known ones as their code and text, everything else as a bare
// `internal`, logged with the request id.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { sqlStateOf } from '../db/database-error.ts'
import { MediaError } from '../media/media-error.ts'
import { isStorageError } from '../storage/storage.ts'
import { AppError } from './app-error.ts'

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError | MediaError, request, reply) => {
    const known = error instanceof AppError ? error : translateError(error)
    if (known.status >= 500) request.log.error({ err: error }, 'request failed')
    // Perhaps a value that the contract lets through and should not.
    else if (isRefusedValue(error)) request.log.warn({ err: error }, 'the database refused a value')
    return sendError(reply, known)
  })
  app.setNotFoundHandler((request, reply) => sendError(reply, unknownAddress(app, request)))
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  return reply
    .code(error.status)
    .headers({ 'cache-control': 'no-store', ...error.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(error.toBody()))
}

/** A known address with the wrong method says which methods it takes (RFC 9110 §15.5.6). */
function unknownAddress(app: FastifyInstance, request: FastifyRequest): AppError {
  const url = request.url.split('?')[0] ?? '/'
  const allowed = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => {
    const found = app.findRoute({ method, url })
    // The web app answers every address; that makes none of them known.
    return found !== null && !('*' in found.params)
  })
  if (allowed.length === 0) return new AppError('not_found')
  return new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}

/** What the framework and the database say, in our codes. */
function translateError(error: FastifyError | MediaError): AppError {
  const options = { cause: error }
  if (error instanceof MediaError) {
    return new AppError(isKnownCode(error.code) ? error.code : 'internal', options)
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large', options)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('unsupported_content_type', options)
  }
  if (error.statusCode === 429) return new AppError('rate_limited', options)
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_input', options)
  }
  if (isRefusedValue(error)) return new AppError('invalid_input', options)
  if (/^(?:ENOSPC|EDQUOT)$/.test(error.code ?? '')) return new AppError('storage_full', options)
  if (isUnavailable(error)) {
    return new AppError('unavailable', { ...options, headers: { 'retry-after': '5' } })
  }
  return new AppError('internal', options)
}

/** A value of the right shape that is none, such as a date in a made-up cursor (PostgreSQL class 22). */
function isRefusedValue(error: Error): boolean {
  return sqlStateOf(error)?.startsWith('22') ?? false
}

/** Codes that say what is wrong with the sender's file; the others are our own trouble. */
function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/**
 * The store of files or the database is away, starting, shutting down, or out of connections (PostgreSQL classes
 * 08, 53, 57P). */
function isUnavailable(error: FastifyError): boolean {
  if (isStorageError(error, 'unavailable')) return true
  return /^(?:08|53|57P|ECONNREFUSED|ECONNRESET|ENOENT$)/.test(error.code ?? '')
}
