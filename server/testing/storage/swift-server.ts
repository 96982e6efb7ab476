// OpenStack Swift with its S3 interface, from Debian's packages (swift-proxy, swift-account, swift-container,
// swift-object). Unlike the small S3 server, it verifies signatures and conditional requests. Runs one process per
// service, with one device and one replica.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createS3Client } from '../../platform/storage/s3-client.ts'
import type { S3Options } from '../../platform/config/s3-options.ts'
import { freePort, type S3Server } from './s3-server.ts'

const programs = ['proxy', 'account', 'container', 'object'] as const
const startTimeoutMs = 60_000
const pollMs = 100
const bucket = 'velour'

export interface SwiftServer extends S3Server {
  /** Suspends the server with SIGSTOP, to simulate a store that hangs. `resume` sends SIGCONT. */
  pause: () => void
  resume: () => void
}

/**
 * With `kept`, the objects stay in its folder for the next start. Otherwise a temporary folder is used and deleted at
 * the end.
 */
export async function startSwift(kept?: { folder: string }): Promise<SwiftServer> {
  const folder = kept?.folder ?? (await mkdtemp(join(tmpdir(), 'velour-swift-')))
  const port = await freePort()
  await writeSettings(folder, port)
  const children = programs.map((name) =>
    spawn(`/usr/bin/swift-${name}-server`, [join(folder, `${name}-server.conf`)], {
      stdio: 'ignore',
    }),
  )
  const options: S3Options = {
    bucket,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    publicEndpoint: null,
    accessKeyId: 'velour:owner',
    secretAccessKey: 'velour-secret',
  }
  const client = createS3Client(options)
  try {
    await createBucket(client, children)
  } catch (error) {
    await Promise.all(children.map(end))
    throw error
  }
  return {
    options,
    async countUnfinished() {
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: bucket }),
      )
      return Uploads.length
    },
    pause: () => children.forEach((child) => child.kill('SIGSTOP')),
    resume: () => children.forEach((child) => child.kill('SIGCONT')),
    async close() {
      client.destroy()
      await Promise.all(children.map(end))
      if (!kept) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGCONT')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Creates the bucket. Retries until all services respond. */
async function createBucket(client: S3Client, children: ChildProcess[]): Promise<void> {
  const giveUpAt = Date.now() + startTimeoutMs
  for (;;) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
      return
    } catch (error) {
      if (error instanceof BucketAlreadyOwnedByYou) return
      if (Date.now() > giveUpAt || children.some((child) => child.exitCode !== null)) {
        throw new Error('Swift did not start', { cause: error })
      }
      await sleep(pollMs)
    }
  }
}

async function writeSettings(folder: string, port: number): Promise<void> {
  await mkdir(join(folder, 'devices', 'one'), { recursive: true })
  const common = [
    'bind_ip = 127.0.0.1',
    'workers = 0',
    `user = ${userInfo().username}`,
    `swift_dir = ${folder}`,
    `devices = ${join(folder, 'devices')}`,
    'mount_check = false',
    'disable_fallocate = true',
    'log_level = ERROR',
  ]
  await writeFile(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = velour\nswift_hash_path_suffix = velour\n' +
      '[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  for (const name of programs.slice(1)) {
    const ownPort = await freePort()
    const lines = ['[DEFAULT]', ...common, `bind_port = ${ownPort}`]
    lines.push('[pipeline:main]', `pipeline = ${name}-server`)
    lines.push(`[app:${name}-server]`, `use = egg:swift#${name}`)
    await writeFile(join(folder, `${name}-server.conf`), `${lines.join('\n')}\n`)
    buildRing(folder, name, ownPort)
  }
  const proxy = ['[DEFAULT]', ...common, `bind_port = ${port}`]
  proxy.push('[pipeline:main]', 'pipeline = catch_errors cache s3api tempauth slo proxy-server')
  proxy.push('[app:proxy-server]', 'use = egg:swift#proxy', 'account_autocreate = true')
  // Swift has no CORS rules per bucket. Its operator configures which origins may upload parts.
  proxy.push('cors_allow_origin = *', 'cors_expose_headers = ETag')
  // The default of half a second is too short on a busy machine.
  proxy.push('conn_timeout = 10', 'node_timeout = 30')
  // Services that are still starting are retried immediately instead of after a minute.
  proxy.push('error_suppression_interval = 0', 'error_suppression_limit = 1000000')
  proxy.push('[filter:catch_errors]', 'use = egg:swift#catch_errors')
  proxy.push('[filter:cache]', 'use = egg:swift#memcache')
  proxy.push('[filter:s3api]', 'use = egg:swift#s3api', 'location = us-east-1')
  proxy.push('cors_preflight_allow_origin = *')
  proxy.push('[filter:tempauth]', 'use = egg:swift#tempauth')
  proxy.push('user_velour_owner = velour-secret .admin')
  proxy.push('[filter:slo]', 'use = egg:swift#slo')
  await writeFile(join(folder, 'proxy-server.conf'), `${proxy.join('\n')}\n`)
}

/** Builds the ring, Swift's map of devices, which here assigns all data to the only device. */
function buildRing(folder: string, name: string, port: number): void {
  const ring = (...words: string[]) =>
    execFileSync('/usr/bin/swift-ring-builder', [`${name}.builder`, ...words], {
      cwd: folder,
      stdio: 'ignore',
    })
  ring('create', '2', '1', '0')
  ring('add', `r1z1-127.0.0.1:${port}/one`, '1')
  ring('rebalance')
}
