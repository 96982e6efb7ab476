// Makes the bucket of the settings where the store has none: for compositions whose store comes up empty. The server
// itself never does, because a bucket that is not there is a slip of the pen on every other day.
import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
} from '@aws-sdk/client-s3'
import { readConfig } from '../config.ts'
import { createS3Client } from './s3-client.ts'

const { s3 } = readConfig(process.env)
if (!s3) throw new Error('S3_BUCKET says which bucket.')
const client = createS3Client(s3)
await client.send(new CreateBucketCommand({ Bucket: s3.bucket })).catch((error: unknown) => {
  const isThere = error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists
  if (!isThere) throw error
})
client.destroy()
