// Runs the storage tests on Swift. Unlike the small store of the other tests, it verifies the signature of every
// request.
import { startSwift } from '../../testing/storage/swift-server.ts'
import { describeS3Storage } from '../../testing/storage/s3-storage-compliance.ts'

describeS3Storage('OpenStack Swift', startSwift)
