// Tests several processes that share one data folder: the start of one must not delete the unfinished files of
// another.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from './open-storage.ts'
import { claimWorkFolder } from './own-work-folder.ts'

let folder: string
const host = hostname().replace(/[^\w-]/g, '-')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-work-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid!
}

test('removes the folders of dead processes and keeps those of running ones', async () => {
  const names = {
    living: `${host}.${process.ppid}`,
    dead: `${host}.${await endedPid()}`,
    elsewhere: 'another-machine.1',
    longAgo: 'another-machine.2',
  }
  for (const name of Object.values(names)) await mkdir(join(folder, name))
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)
  await utimes(join(folder, names.longAgo), twoDaysAgo, twoDaysAgo)
  expect(await claimWorkFolder(folder)).toBe(`${host}.${process.pid}`)
  expect(new Set(await readdir(folder))).toEqual(new Set([names.living, names.elsewhere]))
})

test('a second process does not touch the unfinished files of the first', async () => {
  const first = await openStorage({ s3: null, dataDir: folder })
  await first.withScratchFolder(async (work) => {
    const code = `
      import { openStorage } from ${JSON.stringify(join(import.meta.dirname, 'open-storage.ts'))}
      const storage = await openStorage({ s3: null, dataDir: ${JSON.stringify(folder)} })
      await storage.close()`
    const second = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    expect(await once(second, 'exit')).toEqual([0, null])
    expect(await readdir(work)).toEqual([])
  })
  await first.close()
})
