// Tests that no secret gets into output that others can read. Does everything that an owner and a member can do, on a
// server that logs as much as possible and whose dependencies fail from time to time. Then searches its log, traces,
// metrics, exports, audit log and every response for all secrets.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBackupFile } from '#server/features/backup/read-archive.ts'
import { startService } from '../../e2e/harness/service.ts'
import {
  startProcess,
  resetForgottenPassword,
  joinAsMember,
  setUpOwner,
  useSecondFactor,
} from './watched-accounts.ts'
import { createCanary, startWatchedWorld, type WatchedWorld } from './watched-world.ts'
import {
  uploadTrack,
  failInDatabase,
  sendMisplacedSecrets,
  exportAndReadAll,
  takePayments,
} from './watched-traffic.ts'

let world: WatchedWorld

beforeAll(async () => {
  world = await startWatchedWorld()
})
afterAll(() => world?.close())

test('no secret leaks while owner and member use everything', { timeout: 300_000 }, async () => {
  const { service, watch } = world
  const life = startProcess(world)
  await setUpOwner(life)
  await joinAsMember(life)
  await resetForgottenPassword(life, await useSecondFactor(life))
  await sendMisplacedSecrets(life)
  await uploadTrack(life)
  await takePayments(life)
  await failInDatabase(life)
  await exportAndReadAll(life)
  await backUp(world)
  await failToStart(world)
  expect(await service.stop()).toBe(0)
  watch.scan('the log', service.output())

  // Check that the log was complete and that all features were used.
  expect(service.output()).toContain('"path":"/api/auth/verify-email"')
  expect(service.output()).toMatch(/violates check constraint/)
  expect(watch.size().secrets).toBeGreaterThan(35)
  expect(watch.leaks()).toEqual([])
  // Error details of PostgreSQL contain whole rows, with hashes and tokens that the test doesn't know.
  expect(service.output()).not.toMatch(/Failing row contains/)
})

/** Runs a backup. Searches its output and the entries of its file, which may not contain any environment variable. */
async function backUp({ service, environment, watch }: WatchedWorld): Promise<void> {
  const { dataDir } = service
  const file = join(dataDir, 'all.tar')
  const tool = join(import.meta.dirname, '../../server/commands/backup-main.ts')
  const env = { ...process.env, ...environment, DATA_DIR: dataDir, DEMO: 'off' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tool, 'backup', file], {
    env,
  })
  watch.scan('what the backup says', stdout + stderr)
  const names: string[] = []
  for await (const { name, body } of openBackupFile(file).entries()) {
    names.push(name)
    const bytes = await buffer(body)
    // Leave out session rows, which contain valid tokens. SECURITY.md says who may have a backup.
    const isOfSessions = name.startsWith('database/sessions')
    if (!name.startsWith('objects/') && !isOfSessions) watch.scan(`backup: ${name}`, bytes)
  }
  expect(names).toContain('velour-backup-end.json')
}

/** Lets the server fail to start, and searches its error messages, which appear in the system journal. */
async function failToStart(world: WatchedWorld): Promise<void> {
  const { databaseUrl, service, environment, secrets, watch } = world
  const away = new URL(databaseUrl)
  const wrong = watch.keep('a wrong password of the database', createCanary('db'))
  away.password = wrong
  const starts: Record<string, string>[] = [
    { DATABASE_URL: away.href, DATABASE_OWNER_URL: away.href },
    { DATABASE_URL: `postgres://velour:${wrong}@127.0.0.1:1/velour` },
    { DATABASE_URL: `postgres://velour:${wrong}@:port/velour` },
    { SMTP_URL: `smtp//velour:${secrets.smtpPassword}` },
    { SECRET_PREVIOUS: secrets.configured.SECRET },
    { STRIPE_SECRET_KEY: watch.keep('a key of another kind', `pk_${createCanary('public')}`) },
    { OTEL_EXPORTER_OTLP_HEADERS: `authorization: ${secrets.collectorToken}` },
  ]
  for (const start of starts) {
    const failing = startService({
      dataDir: `${service.dataDir}/fails`,
      env: { ...environment, ...start },
    })
    const said = await failing.then(
      async (started) => {
        await started.kill()
        throw new Error(`It started with ${Object.keys(start).join()}`)
      },
      (reason: Error) => reason.message,
    )
    watch.scan(`a start that failed: ${Object.keys(start).join()}`, said)
  }
}
