import { startS3StandIn } from '../testing/s3-stand-in.ts'
import { describeS3Storage } from './s3-storage-compliance.ts'

describeS3Storage('a small S3 server', startS3StandIn)
