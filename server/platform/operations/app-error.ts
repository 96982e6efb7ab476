// The only type of error that operations throw on purpose. All other errors are returned as `internal` without
// details.
import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts'

export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: unknown
  /** Extra response headers, such as Retry-After or Content-Range. */
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    options: { details?: unknown; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(errors[code][1], { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errors[code][0]
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  toBody(): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    }
  }
}
