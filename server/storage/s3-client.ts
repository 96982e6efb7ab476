// The connection to an S3-compatible store. Checksums are sent only where the protocol demands them: the SDK's newer
// default breaks streamed uploads on stores other than Amazon's.
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Options } from './s3-options.ts'
import { StorageError } from './storage.ts'

const connectTimeoutMs = 3_000
/** Silence on the line, not the time of a whole transfer. */
const silenceTimeoutMs = 10_000
const maxTries = 4
/** All tries together, where somebody waits for sound. */
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

/** For a read that somebody waits for: beyond this a player does better to ask again. */
export function readPatience(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(readTimeoutMs) }
}

/** The store's answer in our words. Throws `not_found`, `unavailable`, or what it was given. */
export function throwStorageError(key: string, cause: unknown): never {
  if (cause instanceof StorageError) throw cause
  if (isMissing(cause)) throw new StorageError('not_found', `No object ${key}`, { cause })
  if (isOutOfReach(cause)) {
    throw new StorageError('unavailable', `The store does not answer for ${key}`, { cause })
  }
  throw cause
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}

const networkCode =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE)$/

/** Nobody answers, or the answer is that it cannot be given now. */
function isOutOfReach(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0
    return status >= 500 || status === 429
  }
  if (!(error instanceof Error)) return false
  // Aborted is only what takes too long, or longer than this server runs.
  if (/^(?:Timeout|Abort)Error$/.test(error.name)) return true
  return 'code' in error && networkCode.test(String(error.code))
}
