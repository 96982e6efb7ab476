import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeVersion, readBuildVersion } from './build-version.ts'
import { readConfig } from './config.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-version-'))
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3"}')
})
afterEach(() => rm(folder, { recursive: true }))

const writeCommitFile = async (text: string) => {
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist', '.commit'), text)
}

test('returns no commit for a copy without repository, build or setting', () => {
  const build = readBuildVersion({ commit: null }, folder)
  expect(build).toEqual({ version: '1.2.3', commit: null })
  expect(describeVersion(build)).toBe('1.2.3')
})

test('returns the commit that the build recorded, and rejects an invalid one', async () => {
  await writeCommitFile('838f8f10c3ab0123456789838f8f10c3ab012345\n')
  const build = readBuildVersion({ commit: null }, folder)
  expect(describeVersion(build)).toBe('1.2.3 (838f8f10c3ab)')
  await writeFile(join(folder, 'dist', '.commit'), 'fatal: not a git repository')
  expect(readBuildVersion({ commit: null }, folder).commit).toBeNull()
})

test('prefers the repository over the build, and VELOUR_COMMIT over both', async () => {
  await writeCommitFile('838f8f10c3ab0123456789838f8f10c3ab012345')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  git('init')
  git('commit', '--allow-empty', '--message', 'First')
  const head = git('rev-parse', 'HEAD').slice(0, 12)
  expect(readBuildVersion({ commit: null }, folder).commit).toBe(head)
  git('pack-refs', '--all')
  expect(readBuildVersion({ commit: null }, folder).commit).toBe(head)
  const beside = join(folder, 'beside')
  git('worktree', 'add', beside)
  await writeFile(join(beside, 'package.json'), '{"version":"1.2.3"}')
  expect(readBuildVersion({ commit: null }, beside).commit).toBe(head)
  git('checkout', '--detach')
  expect(readBuildVersion({ commit: null }, folder).commit).toBe(head)
  const config = readConfig({ VELOUR_COMMIT: 'ABCDEF0123456789' })
  expect(readBuildVersion(config, folder).commit).toBe('abcdef012345')
})

test('refuses a VELOUR_COMMIT that is not a hash', () => {
  expect(() => readConfig({ VELOUR_COMMIT: 'main' })).toThrow('VELOUR_COMMIT must be the hash')
})

test('finds the same version in package.json, package-lock.json and the changelog', async () => {
  const read = (name: string) => readFile(join(import.meta.dirname, '../../..', name), 'utf8')
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  const lock = JSON.parse(await read('package-lock.json')) as {
    version: string
    packages: Record<string, { version: string }>
  }
  expect([lock.version, lock.packages['']!.version]).toEqual([version, version])
  const [newest] = (await read('CHANGELOG.md')).match(/^## .*$/m)!
  expect(newest).toContain(version)
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
