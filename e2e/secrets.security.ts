// Nothing that is secret is said where others can read it. The whole life of an owner and a member goes through a real
// server at its most talkative, with errors of everything it depends on; then its output, traces, figures, exports, trail
// and every answer are searched for every secret that was in play.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBackupFile } from '../server/backup/read-archive.ts'
import { startService } from './service.ts'
import {
  beginLife,
  forgetPassword,
  joinAsMember,
  settleOwner,
  useSecondFactor,
} from './watched-accounts.ts'
import { canary, startWatchedHouse, type WatchedHouse } from './watched-house.ts'
import {
  bringTrack,
  failInDatabase,
  putSecretsInOddPlaces,
  takeAway,
  takePayments,
} from './watched-traffic.ts'

let house: WatchedHouse

beforeAll(async () => {
  house = await startWatchedHouse()
})
afterAll(() => house?.close())

test('a whole life, and no secret said', { timeout: 300_000 }, async () => {
  const { service, watch } = house
  const life = beginLife(house)
  await settleOwner(life)
  await joinAsMember(life)
  await forgetPassword(life, await useSecondFactor(life))
  await putSecretsInOddPlaces(life)
  await bringTrack(life)
  await takePayments(life)
  await failInDatabase(life)
  await takeAway(life)
  await backUp(house)
  await failToStart(house)
  expect(await service.stop()).toBe(0)
  watch.hear('the log', service.output())

  // It was really talkative, and everything was really in play.
  expect(service.output()).toContain('"path":"/api/auth/verify-email"')
  expect(service.output()).toMatch(/violates check constraint/)
  expect(watch.size().secrets).toBeGreaterThan(35)
  expect(watch.leaks()).toEqual([])
  // Whole rows, which hold hashes and tokens that nobody was shown.
  expect(service.output()).not.toMatch(/Failing row contains/)
})

/** What the tool says, and what its file says about itself. What the environment gives is in no entry at all. */
async function backUp({ service, environment, watch }: WatchedHouse): Promise<void> {
  const { dataDir } = service
  const file = join(dataDir, 'all.tar')
  const tool = join(import.meta.dirname, '../server/backup/backup-main.ts')
  const env = { ...process.env, ...environment, DATA_DIR: dataDir, DEMO: 'off' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tool, 'backup', file], {
    env,
  })
  watch.hear('what the backup says', stdout + stderr)
  const names: string[] = []
  for await (const { name, body } of openBackupFile(file).entries()) {
    names.push(name)
    const bytes = await buffer(body)
    // Rows hold what makes a session: SECURITY.md says who may have the file.
    const isOfSessions = name.startsWith('database/sessions')
    if (!name.startsWith('objects/') && !isOfSessions) watch.hear(`backup: ${name}`, bytes)
  }
  expect(names).toContain('velour-backup-end.json')
}

/** A start that fails says why, and says it to whoever reads the journal. */
async function failToStart(house: WatchedHouse): Promise<void> {
  const { databaseUrl, service, environment, secrets, watch } = house
  const away = new URL(databaseUrl)
  const wrong = watch.keep('a wrong password of the database', canary('db'))
  away.password = wrong
  const starts: Record<string, string>[] = [
    { DATABASE_URL: away.href, DATABASE_OWNER_URL: away.href },
    { DATABASE_URL: `postgres://velour:${wrong}@127.0.0.1:1/velour` },
    { DATABASE_URL: `postgres://velour:${wrong}@:port/velour` },
    { SMTP_URL: `smtp//velour:${secrets.smtpPassword}` },
    { SECRET_PREVIOUS: secrets.configured.SECRET },
    { STRIPE_SECRET_KEY: watch.keep('a key of another kind', `pk_${canary('public')}`) },
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
    watch.hear(`a start that failed: ${Object.keys(start).join()}`, said)
  }
}
