// Sends every error response: known errors with their code and text, all others as `internal` without details. Those
// are logged with the request id.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { errors, type ErrorCode } from '#contract/errors.ts'
import {
  getViolatedConstraint,
  isDatabaseUnavailable,
  isDiskFullError,
  isInvalidValue,
  getSqlState,
} from '../db/database-error.ts'
import { MediaError } from '../ffmpeg/media-error.ts'
import { isStorageError } from '../storage/storage.ts'
import { AppError } from '../operations/app-error.ts'
import { logRefusal } from './refusal-log.ts'

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError | MediaError, request, reply) => {
    const known = error instanceof AppError ? error : translateError(error)
    // Requests that are refused during maintenance are not logged as errors.
    if (known.status >= 500 && known.code !== 'maintenance')
      request.log.error({ err: error }, 'request failed')
    // Logged, because perhaps the contract should not accept this value.
    else if (isInvalidValue(error)) request.log.warn({ err: error }, 'the database refused a value')
    logRefusal(request, known.code)
    return sendError(reply, known)
  })
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  return reply
    .code(error.status)
    .headers({ 'cache-control': 'no-store', ...error.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(error.toBody()))
}

/** Converts errors of the framework and the database to our error codes. */
function translateError(error: FastifyError | MediaError): AppError {
  const options = { cause: error }
  if (error instanceof MediaError) {
    return new AppError(isKnownCode(error.code) ? error.code : 'internal', options)
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large', options)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('unsupported_content_type', options)
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_input', options)
  }
  if (isInvalidValue(error)) return new AppError('invalid_input', options)
  const gone =
    getSqlState(error) === '23503'
      ? /[a-z]+(?=_id_fkey$)/.exec(getViolatedConstraint(error) ?? '')
      : null
  if (gone) return new AppError(missingReferenceCodes[gone[0]] ?? 'conflict', options)
  if (isDiskFullError(error) || /^(?:ENOSPC|EDQUOT)$/.test(error.code ?? ''))
    return new AppError('storage_full', options)
  if (isUnavailable(error)) {
    return new AppError('unavailable', { ...options, headers: { 'retry-after': '5' } })
  }
  return new AppError('internal', options)
}

/**
 * Error codes for a foreign key violation: the referenced row existed when it was checked, and was deleted
 * concurrently.
 */
const missingReferenceCodes: Record<string, ErrorCode> = {
  track: 'track_not_found',
  playlist: 'playlist_not_found',
  user: 'unauthenticated',
}

/**
 * Whether an error of media processing has an error code of the contract, because the sender's file caused it. All
 * others are internal errors.
 */
function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** Whether the file storage or the database cannot be reached, or the connection was lost. */
function isUnavailable(error: FastifyError): boolean {
  if (isStorageError(error, 'unavailable') || isDatabaseUnavailable(error)) return true
  return /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/.test(error.code ?? '')
}
