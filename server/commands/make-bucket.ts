// Creates the configured bucket if it is missing, for compose setups whose object store starts empty. The server
// never creates the bucket, because a missing one usually means a typo in the configuration.
import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
} from '@aws-sdk/client-s3'
import { readConfig } from '../platform/config/config.ts'
import { createS3Client } from '../platform/storage/s3-client.ts'

const { s3 } = readConfig(process.env)
if (!s3) throw new Error('Set S3_BUCKET to the name of the bucket.')
const client = createS3Client(s3)
await client.send(new CreateBucketCommand({ Bucket: s3.bucket })).catch((error: unknown) => {
  const isThere = error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists
  if (!isThere) throw error
})
client.destroy()
