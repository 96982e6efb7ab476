// A small S3-compatible server from a package, which runs on any machine. The front in s3-multipart-front.ts verifies
// presigned URLs, but nothing verifies signed requests. So tests with it show that objects are stored and deleted,
// but not who may access them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startS3Front } from './s3-multipart-front.ts'
import { freePort, type S3Server } from './s3-server.ts'

const bucket = 'velour'
const ownerKey = 'S3RVER'

/**
 * With `kept`, the objects stay in its folder for the next start. Otherwise a temporary folder is used and deleted at
 * the end.
 */
export async function startS3StandIn(kept?: { folder: string }): Promise<S3Server> {
  const folder = kept?.folder ?? (await mkdtemp(join(tmpdir(), 'velour-s3-')))
  const port = String(await freePort())
  const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js')
  const settings = ['--directory', folder, '--address', '127.0.0.1', '--port', port]
  const child = spawn(
    process.execPath,
    ['--no-deprecation', program, ...settings, '--configure-bucket', bucket],
    // Errors are hidden, because the server logs one for every listing option that it does not support.
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const lines = createInterface(child.stdout)
  await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The S3 server ended at its start'))),
  ])
  lines.resume()
  const ownPort = await freePort()
  const front = await startS3Front({
    bucketFolder: join(folder, bucket),
    port: Number(port),
    ownPort,
    secretAccessKey: ownerKey,
  })
  return {
    options: {
      bucket,
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${ownPort}`,
      publicEndpoint: null,
      accessKeyId: 'S3RVER',
      secretAccessKey: ownerKey,
    },
    countUnfinished: async () => (await front.listUnfinished()).length,
    async close() {
      await front.close()
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error('The S3 server ended in the middle of the tests')
      }
      child.kill()
      await once(child, 'exit')
      if (!kept) await rm(folder, { recursive: true, force: true })
    },
  }
}
