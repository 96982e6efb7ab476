// Maps better-auth's error codes to ours. A code without a mapping is a bug in Velour, so it becomes an internal error.
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** The code that our sign-in hook throws for banned accounts. */
export const bannedCode = 'BANNED'

const codes: Record<string, ErrorCode> = {
  [bannedCode]: 'banned',
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_EMAIL: 'invalid_email',
  INVALID_PASSWORD: 'password_wrong',
  PASSWORD_TOO_SHORT: 'password_too_short',
  PASSWORD_TOO_LONG: 'password_too_long',
  EMAIL_NOT_VERIFIED: 'email_not_verified',
  INVALID_TOKEN: 'reset_token_invalid',
  TOKEN_EXPIRED: 'reset_token_invalid',
  USER_NOT_FOUND: 'reset_token_invalid',
  UNAUTHORIZED: 'unauthenticated',
  INVALID_CODE: 'two_factor_invalid',
  INVALID_BACKUP_CODE: 'two_factor_invalid',
  INVALID_TWO_FACTOR_COOKIE: 'two_factor_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'two_factor_expired',
  ACCOUNT_TEMPORARILY_LOCKED: 'rate_limited',
  TOTP_ALREADY_ENABLED: 'two_factor_already_on',
  EMAIL_ALREADY_VERIFIED: 'email_already_confirmed',
  TOTP_NOT_ENABLED: 'two_factor_off',
  BACKUP_CODES_NOT_ENABLED: 'two_factor_off',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_off',
  INVALID_ORIGIN: 'foreign_origin',
  MISSING_OR_NULL_ORIGIN: 'foreign_origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'foreign_origin',
  // better-auth catches database errors and returns these codes instead.
  FAILED_TO_CREATE_USER: 'unavailable',
  FAILED_TO_CREATE_SESSION: 'unavailable',
  FAILED_TO_GET_SESSION: 'unavailable',
}

/** The two-factor plugin locks an account for 15 minutes but does not report the remaining time. */
const retryAfterSeconds: Partial<Record<ErrorCode, string>> = {
  rate_limited: '900',
  unavailable: '5',
}

export function toAppError(status: number, body: unknown): AppError {
  const theirs = readCode(body)
  const code = (theirs === null ? undefined : codes[theirs]) ?? fromStatus(status)
  const retryAfter = retryAfterSeconds[code]
  return new AppError(code, {
    headers: retryAfter ? { 'retry-after': retryAfter } : {},
    cause: new Error(`better-auth answered ${status} ${theirs ?? 'without a code'}`),
  })
}

function fromStatus(status: number): ErrorCode {
  // Two concurrent requests changed the same row, for example by using the same recovery code twice.
  return status === 409 ? 'conflict' : 'internal'
}

function readCode(body: unknown): string | null {
  const code: unknown = body && typeof body === 'object' ? Reflect.get(body, 'code') : undefined
  return typeof code === 'string' ? code : null
}
