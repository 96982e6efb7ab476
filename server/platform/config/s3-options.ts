// Options of an S3-compatible store. In a file of their own, because the client is loaded only if a store is
// configured.

export interface S3Options {
  bucket: string
  /** Prefix of every key, with a trailing slash. Empty or unset if the bucket is used only by Velour. */
  prefix?: string
  region: string
  /** Null for Amazon's endpoint in the region. */
  endpoint: string | null
  /** Endpoint that browsers use, if it differs from `endpoint`. */
  publicEndpoint: string | null
  accessKeyId: string
  secretAccessKey: string
}

/** Returns the origins from which browsers load objects after a redirect. */
export function storeOrigins({ bucket, region, endpoint, publicEndpoint }: S3Options): string[] {
  const address = publicEndpoint ?? endpoint
  if (address) return [new URL(address).origin]
  // Amazon's certificates cover only one level of subdomains, so a bucket name with a dot goes into the path.
  const host = `s3.${region}.amazonaws.com`
  return [bucket.includes('.') ? `https://${host}` : `https://${bucket}.${host}`]
}
