// Tests making a service public whose data folder was used for the demo: the checks at startup, and the command
// `close-demo`.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../contract/demo.ts'
import type { Site } from '../contract/site.ts'
import { createApiClient } from './harness/api-client.ts'
import { admin, startService } from './harness/service.ts'

const run = promisify(execFile)
const closeDemo = join(import.meta.dirname, '..', 'server', 'commands', 'close-demo-main.ts')
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'velour-public-'))
  const tried = await startService({
    dataDir,
    env: { DEMO: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' },
  })
  await tried.stop()
})
afterAll(() => rm(dataDir, { recursive: true }))

const noAdmin = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
const publicSettings = { PUBLIC_URL: 'https://music.example', TRUST_PROXY: '127.0.0.1' }

test('refuses to start a public service while the demo is on, and names the setting', async () => {
  await expect(startService({ dataDir, env: { ...publicSettings, DEMO: 'on' } })).rejects.toThrow(
    /PUBLIC_URL=https:\/\/music\.example makes this service public.*Set DEMO=off/,
  )
})

test('refuses to start a public service while accounts have the demo password, and names the accounts and the command', async () => {
  const settings: Record<string, string>[] = [{ TRUST_PROXY: '127.0.0.1' }, { HOST: '0.0.0.0' }]
  for (const env of settings) {
    await expect(startService({ dataDir, env: { ...noAdmin, ...env } })).rejects.toThrow(
      /makes this service public.*admin@velour\.test, free@velour\.test, premium@velour\.test.*npm run close-demo/,
    )
  }
})

test('starts after close-demo, and only the owner can sign in', async () => {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...publicSettings }
  const { stdout } = await run(process.execPath, [closeDemo], { env })
  expect(stdout).toContain('admin@velour.test can no longer sign in with the demo password')
  expect(stdout).toContain('You have no admin of your own. The next start prints a link')
  const unowned = await startService({ dataDir, env: noAdmin })
  expect(unowned.output()).toContain('Open this link to create the first admin: http')
  await unowned.stop()
  const service = await startService({ dataDir, env: publicSettings })
  try {
    const owner = createApiClient(service.url)
    await owner.signIn(admin)
    const demo = createApiClient(service.url)
    await expect(
      demo.signIn({ email: 'admin@velour.test', password: demoPassword }),
    ).rejects.toThrow(/401/)
  } finally {
    await service.stop()
  }
})

test('does not restore the demo after close-demo, even with DEMO=on', async () => {
  const service = await startService({
    dataDir,
    env: { DEMO: 'on', ...noAdmin },
  })
  try {
    expect(service.output()).not.toContain(demoPassword)
    const { demo } = (await (await fetch(`${service.url}/api/site`)).json()) as Site
    expect(demo).toBeNull()
  } finally {
    await service.stop()
  }
})
