// Errors of the Subsonic API, and the mapping of Velour's error codes to theirs.
import type { ErrorCode } from '#contract/errors.ts'
import type { ScreenPath } from '#contract/screens.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export const errorCodes = {
  generic: 0,
  missing_parameter: 10,
  wrong_login: 40,
  mechanism_unsupported: 42,
  conflicting_logins: 43,
  invalid_api_key: 44,
  not_authorized: 50,
  not_found: 70,
} as const

export class SubsonicError extends Error {
  override readonly name = 'SubsonicError'
  readonly kind: keyof typeof errorCodes
  readonly helpUrl: string | undefined

  constructor(
    kind: keyof typeof errorCodes,
    message: string,
    options: { helpUrl?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.helpUrl = options.helpUrl
  }
}

export const notFound = (what: string) => new SubsonicError('not_found', `${what} not found`)

const subscribePath: ScreenPath = '/subscribe'

/** Codes of errors that only occur without Premium. Their message contains a URL that apps can show. */
const planCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'premium_required',
  'playlist_limit_reached',
  'track_limit_reached',
])

/** Converts an error for the response. Null for an internal error, which results in status 500. */
export function translateError(error: unknown, publicUrl: string): SubsonicError | null {
  if (error instanceof SubsonicError) return error
  if (!(error instanceof AppError) || error.code === 'internal') return null
  const { code, message, status } = error
  const options = { cause: error }
  if (planCodes.has(code)) {
    const helpUrl = new URL(subscribePath, publicUrl).href
    return new SubsonicError('not_authorized', message, { ...options, helpUrl })
  }
  if (code === 'unauthenticated') return new SubsonicError('wrong_login', message, options)
  if (status === 403) return new SubsonicError('not_authorized', message, options)
  if (status === 404) return new SubsonicError('not_found', message, options)
  return new SubsonicError('generic', message, options)
}
