// An S3-compatible server started by a test.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { S3Options } from '../../platform/config/s3-options.ts'

export interface S3Server {
  options: S3Options
  /** Returns the number of multipart uploads in progress. */
  countUnfinished: () => Promise<number>
  close: () => Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
