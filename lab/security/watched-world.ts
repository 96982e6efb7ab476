// A server that logs as much as possible, with stand-ins for all its dependencies, which fail from time to time.
// Registers every secret of its settings, to search its output for them.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { queryAt } from '#server/platform/db/with-client.ts'
import { startFakeStripe, type FakeStripe } from '#server/testing/stripe/fake-stripe.ts'
import { startS3StandIn } from '#server/testing/storage/s3-stand-in.ts'
import type { S3Server } from '#server/testing/storage/s3-server.ts'
import { createSecretWatch, type SecretWatch } from '#server/testing/secret-watch.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts'
import { startTestSmtp, type TestSmtp } from '#server/testing/test-smtp.ts'
import { admin, startService, waitUntil, type Service } from '../../e2e/harness/service.ts'

export const createCanary = (name: string) => `canary${name}${randomBytes(9).toString('hex')}`

type Secrets = ReturnType<typeof loadOrCreateSecrets>

export interface WatchedWorld {
  watch: SecretWatch
  secrets: Secrets
  environment: Record<string, string>
  service: Service
  stripe: FakeStripe
  smtp: TestSmtp
  /** The DATABASE_URL of the server. */
  databaseUrl: string
  /** Runs an SQL statement as the role that owns the tables. Returns its result as text. */
  asOwner: (sql: string) => Promise<string>
  close: () => Promise<void>
}

export async function startWatchedWorld(): Promise<WatchedWorld> {
  const watch = createSecretWatch()
  const secrets = loadOrCreateSecrets(watch)
  const [database, smtp, stripe, store, collector] = await Promise.all([
    createTestDatabase(),
    startTestSmtp({ refusals: 1, refusedLogins: 1 }),
    startFakeStripe(),
    startS3StandIn(),
    startCollector(watch),
  ])
  watch.keep('the password of the database', new URL(database.connectionString).password)
  const environment = buildEnvironment({ secrets, database, smtp, stripe, store, collector })
  const service = await startService({ env: environment })
  return {
    watch,
    secrets,
    environment,
    service,
    stripe,
    smtp,
    databaseUrl: database.connectionString,
    asOwner: async (sql) => JSON.stringify(await queryAt(database.ownerConnectionString, sql)),
    async close() {
      await service.kill()
      collector.close()
      await Promise.all([smtp.close(), stripe.close(), store.close()])
      await database.drop()
      await service.remove()
    },
  }
}

function loadOrCreateSecrets({ keep }: SecretWatch) {
  return {
    configured: {
      SECRET: keep('the key', createCanary('key').padEnd(40, 'x')),
      ADMIN_PASSWORD: keep("the owner's password", createCanary('owner')),
      METRICS_TOKEN: keep('the token for metrics', createCanary('metrics')),
      STRIPE_SECRET_KEY: keep("Stripe's key", `sk_test_${createCanary('stripe')}`),
      S3_SECRET_ACCESS_KEY: keep("the store's key", createCanary('store')),
    },
    smtpPassword: keep('the password of the mail server', createCanary('smtp')),
    collectorToken: keep('the token of the collector', createCanary('otel')),
    webhookSecret: keep('the secret of the webhook', `whsec_${createCanary('hook')}`),
  }
}

/** Starts a server that collects traces. */
async function startCollector(watch: SecretWatch): Promise<Server> {
  const collector = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      watch.scan('traces', bytes)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  return collector
}

function buildEnvironment(parts: {
  secrets: Secrets
  database: TestDatabase
  smtp: TestSmtp
  stripe: FakeStripe
  store: S3Server
  collector: Server
}): Record<string, string> {
  const { secrets, database, smtp, stripe, store, collector } = parts
  return {
    ...secrets.configured,
    ADMIN_EMAIL: admin.email,
    LOG_LEVEL: 'trace',
    REQUIRE_EMAIL_VERIFICATION: 'on',
    DATABASE_URL: database.connectionString,
    DATABASE_OWNER_URL: database.ownerConnectionString,
    SMTP_URL: smtp.url.replace('//', `//velour:${secrets.smtpPassword}@`),
    STRIPE_API_URL: stripe.url,
    S3_BUCKET: store.options.bucket,
    S3_ENDPOINT: store.options.endpoint ?? '',
    S3_ACCESS_KEY_ID: store.options.accessKeyId,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${secrets.collectorToken}`,
  }
}

/** Waits for `count` emails to this address. Returns the token in the newest one. */
export async function waitForMailedToken(
  { smtp, watch }: Pick<WatchedWorld, 'smtp' | 'watch'>,
  email: string,
  count: number,
): Promise<string> {
  const mailsTo = () => smtp.received.filter(({ recipients }) => recipients.includes(email))
  await waitUntil(() => mailsTo().length >= count, 90_000, `mail ${count} to ${email}`)
  const { text = '' } = (await mailsTo().at(-1)?.mail) ?? {}
  const token = /[?&]token=([\w.-]+)/.exec(text)?.[1]
  if (!token) throw new Error(`No token in ${text}`)
  return watch.keep('a token from an email', token)
}
