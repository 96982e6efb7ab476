// Options of an S3-compatible store. Separate from the client, which is loaded only where a store is configured.

export interface S3Options {
  bucket: string
  /** Prefix of every key, with a trailing slash. Unset or empty if the bucket holds nothing else. */
  prefix?: string
  region: string
  /** Null for Amazon's endpoint of the region. */
  endpoint: string | null
  /** Endpoint for browsers, if it differs. */
  publicEndpoint: string | null
  accessKeyId: string
  secretAccessKey: string
}

/** The origins that serve objects to browsers after a redirect. */
export function storeOrigins({ bucket, region, endpoint, publicEndpoint }: S3Options): string[] {
  const address = publicEndpoint ?? endpoint
  if (address) return [new URL(address).origin]
  // Amazon's certificates cover one level of subdomains.
  const host = `s3.${region}.amazonaws.com`
  return [bucket.includes('.') ? `https://${host}` : `https://${bucket}.${host}`]
}
