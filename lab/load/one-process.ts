// The service as one process that can be killed and restarted.
import { startService } from '../../e2e/harness/service.ts'
import { findRunningPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { S3Options } from '#server/platform/config/s3-options.ts'
import type { Site } from './fault-world.ts'

export interface OneProcess extends Site {
  dataDir: string
  pid: () => number
  /** Sends SIGKILL. Until the next start, connections are refused. */
  kill: () => Promise<void>
  start: () => Promise<void>
}

export async function startOneProcess(
  options: {
    env?: Record<string, string>
    /** Data folder. By default a new temporary one. */
    dataDir?: string
    s3?: S3Options
  } = {},
): Promise<OneProcess> {
  const env = { ...worldEnv, ...options.env }
  const service = await startService({ ...options, env })
  const { url, dataDir } = service
  return {
    urls: [url],
    dataDir,
    dataDirs: [dataDir],
    owner: (await findRunningPostgres(dataDir)).owner,
    s3: options.s3 ?? null,
    pid: service.pid,
    output: service.output,
    kill: service.kill,
    start: service.start,
    async close() {
      if (options.dataDir) await service.stop()
      else await service.remove()
    },
  }
}

/** Environment variables of every instance in fault tests. */
export const worldEnv = {
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'info',
  STRIPE_SECRET_KEY: 'sk_test_123',
  // Nothing listens at this port. These tests don't need Stripe.
  STRIPE_API_URL: 'http://127.0.0.1:9',
}
