// CORS rules of the bucket, which allow browsers to upload parts. If an existing rule already allows that, it is left
// unchanged, even if it is not ours. Other rules are kept.
import {
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  S3ServiceException,
  type CORSRule,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createS3Client, throwStorageError } from './s3-client.ts'
import type { S3Options } from '../config/s3-options.ts'
import { createS3Parts } from './s3-parts.ts'

const preflightTimeoutMs = 5000

/** The rule that allows pages of `origin` to upload parts and read objects. */
export function buildCorsRule(origin: string): CORSRule {
  return {
    ID: 'velour',
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges'],
    MaxAgeSeconds: 3600,
  }
}

/**
 * Makes sure that pages of `origin` may upload parts. Returns false if the store refuses them and also refuses our
 * rule. Throws `unavailable`.
 */
export async function allowBrowsers(options: S3Options, origin: string): Promise<boolean> {
  const client = createS3Client(options)
  const { bucket: Bucket } = options
  try {
    const rules = await readRules(client, Bucket)
    if (rules.some((rule) => allowsParts(rule, origin))) return true
    const CORSRules = [...rules.filter(({ ID }) => ID !== 'velour'), buildCorsRule(origin)]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    return true
  } catch (error) {
    if (isNotForUs(error)) return passesPreflight(options, origin)
    return throwStorageError(Bucket, error)
  } finally {
    client.destroy()
  }
}

/**
 * Returns whether pages of `origin` may upload parts now. Changes nothing. `missing` means that the next start writes
 * the rule. Throws `unavailable`.
 */
export async function checkBrowsers(
  options: S3Options,
  origin: string,
): Promise<'allowed' | 'missing' | 'refused'> {
  const client = createS3Client(options)
  try {
    const rules = await readRules(client, options.bucket)
    return rules.some((rule) => allowsParts(rule, origin)) ? 'allowed' : 'missing'
  } catch (error) {
    if (isNotForUs(error)) return (await passesPreflight(options, origin)) ? 'allowed' : 'refused'
    return throwStorageError(options.bucket, error)
  } finally {
    client.destroy()
  }
}

async function readRules(client: S3Client, Bucket: string): Promise<CORSRule[]> {
  try {
    const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket }))
    return CORSRules
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NoSuchCORSConfiguration') return []
    throw error
  }
}

function allowsParts({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule, origin: string) {
  return (
    AllowedMethods.includes('PUT') && AllowedOrigins.some((from) => from === '*' || from === origin)
  )
}

/**
 * Whether our key lacks the right, or the store has no CORS rules. Many small stores have none and return a 4xx or
 * 501.
 */
function isNotForUs(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const status = error.$metadata.httpStatusCode ?? 0
  return (status >= 400 && status < 429) || status === 501
}

/**
 * Sends a preflight request like a browser, because some stores allow every origin or have a setting of their own.
 */
async function passesPreflight(options: S3Options, origin: string): Promise<boolean> {
  const client = createS3Client(options, options.publicEndpoint ?? options.endpoint)
  const parts = createS3Parts({
    client,
    signing: client,
    place: (Key) => ({ Bucket: options.bucket, Key }),
  })
  try {
    const url = await parts.signedUrl(
      { key: 'uploads/preflight', uploadId: 'none' },
      { number: 1, byteSize: 1 },
      60,
    )
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
      signal: AbortSignal.timeout(preflightTimeoutMs),
    })
    const allowed = response.headers.get('access-control-allow-origin')
    return response.ok && (allowed === '*' || allowed === origin)
  } catch {
    // This server may not be able to reach the endpoint for browsers.
    return false
  } finally {
    client.destroy()
  }
}
