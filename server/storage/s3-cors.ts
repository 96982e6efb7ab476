// What a store has to allow before a browser may bring parts to it: requests of the site's pages, by a rule of the bucket.
// A rule that does is left alone, whoever wrote it; those of others stay beside ours.
import {
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  S3ServiceException,
  type CORSRule,
} from '@aws-sdk/client-s3'
import { createS3Client, throwStorageError } from './s3-client.ts'
import type { S3Options } from './s3-options.ts'

/** The rule that lets pages of `origin` bring parts and read objects. */
export function corsRule(origin: string): CORSRule {
  return {
    ID: 'velour',
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges'],
    MaxAgeSeconds: 3600,
  }
}

/** Sees to it that pages of `origin` may bring parts. False: the store takes no rules from us. Throws `unavailable`. */
export async function allowBrowsers(options: S3Options, origin: string): Promise<boolean> {
  const client = createS3Client(options)
  const { bucket: Bucket } = options
  try {
    const rules = await client
      .send(new GetBucketCorsCommand({ Bucket }))
      .then(({ CORSRules = [] }) => CORSRules)
      .catch((error: unknown) => {
        if (error instanceof S3ServiceException && error.name === 'NoSuchCORSConfiguration') {
          return []
        }
        throw error
      })
    if (rules.some((rule) => allowsParts(rule, origin))) return true
    const CORSRules = [...rules.filter(({ ID }) => ID !== 'velour'), corsRule(origin)]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    return true
  } catch (error) {
    if (isNotForUs(error)) return false
    return throwStorageError(Bucket, error)
  } finally {
    client.destroy()
  }
}

function allowsParts({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule, origin: string) {
  return (
    AllowedMethods.includes('PUT') && AllowedOrigins.some((from) => from === '*' || from === origin)
  )
}

/** Our key may not, or the store has no such rules: many small ones have not, and say so with a 4xx or 501. */
function isNotForUs(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const status = error.$metadata.httpStatusCode ?? 0
  return (status >= 400 && status < 429) || status === 501
}
