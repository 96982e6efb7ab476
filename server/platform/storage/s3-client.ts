// The client of an S3-compatible store. It sends checksums only where the protocol requires them, because the SDK's
// newer default breaks streamed uploads on stores other than Amazon's.
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Options } from '../config/s3-options.ts'
import { StorageError } from './storage.ts'

const connectTimeoutMs = 3_000
/** Maximum time without data. A whole transfer may take longer. */
const silenceTimeoutMs = 10_000
const maxTries = 4
/** Limit for all attempts of a read together, because a listener waits for the read. */
const readTimeoutMs = 20_000

export function createS3Client(options: S3Options, endpoint = options.endpoint): S3Client {
  const { accessKeyId, secretAccessKey } = options
  return new S3Client({
    region: options.region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: maxTries,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      httpAgent: { maxSockets: 256, keepAlive: true },
      httpsAgent: { maxSockets: 256, keepAlive: true },
    },
  })
}

/** The time limit of a read for which a listener waits. After that the player should send the request again. */
export function readTimeout(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(readTimeoutMs) }
}

/** Converts an error of the store. Throws `not_found`, `unavailable`, or `cause` itself. */
export function throwStorageError(key: string, cause: unknown): never {
  if (cause instanceof StorageError) throw cause
  if (isMissing(cause)) throw new StorageError('not_found', `No object ${key}`, { cause })
  if (isStoreUnavailable(cause)) {
    throw new StorageError('unavailable', `The store does not respond to a request for ${key}`, {
      cause,
    })
  }
  throw cause
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}

const networkCode =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE)$/

/** Whether the store does not respond, or responds that it cannot serve the request now. */
function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0
    return status >= 500 || status === 429
  }
  if (!(error instanceof Error)) return false
  // Requests are aborted only after a timeout or when the server stops.
  if (/^(?:Timeout|Abort)Error$/.test(error.name)) return true
  return 'code' in error && networkCode.test(String(error.code))
}
