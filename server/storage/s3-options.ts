// Where an S3-compatible store is. Kept apart from its client, which only those who have one need to load.

export interface S3Options {
  bucket: string
  /** Begins each key, with a slash at its end; unset or empty: the bucket holds nothing else. */
  prefix?: string
  region: string
  /** Null: Amazon's own for the region. */
  endpoint: string | null
  /** Address under which browsers reach the store, where that is another one. */
  publicEndpoint: string | null
  accessKeyId: string
  secretAccessKey: string
}

/** Where browsers are sent for objects. */
export function storeOrigins({ bucket, region, endpoint, publicEndpoint }: S3Options): string[] {
  const address = publicEndpoint ?? endpoint
  if (address) return [new URL(address).origin]
  // Amazon's certificates cover one level of names.
  const host = `s3.${region}.amazonaws.com`
  return [bucket.includes('.') ? `https://${host}` : `https://${bucket}.${host}`]
}
