import { expect, test } from 'vitest'
import {
  findSilentRegistry,
  createCounter,
  matchesLock,
  refuseFullDisk,
} from './install-dependencies.mjs'

const wanted = {
  packages: {
    '': {
      dependencies: { pg: '8.23.1' },
      devDependencies: { vite: '8.3.8', 'only-elsewhere': '1.0.0' },
    },
    'packages/testing': { dependencies: { vitest: '5.1.1' } },
    'node_modules/velour-testing': { resolved: 'packages/testing', link: true },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/vite': { version: '8.3.8', dev: true },
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
    'node_modules/vitest': { version: '5.1.1', dependencies: { vite: '9.0.0', pg: '8.23.1' } },
    'node_modules/vitest/node_modules/vite': { version: '9.0.0' },
  },
}
const installed = (packages) => ({ packages })
const complete = {
  'node_modules/pg': { version: '8.23.1' },
  'node_modules/vite': { version: '8.3.8' },
}

test('accepts exactly the packages of the lock file, without those of other platforms', () => {
  expect(matchesLock(wanted, installed(complete))).toBe(true)
})

test('requires the test packages only where tests run', () => {
  const testing = ['packages/testing']
  expect(matchesLock(wanted, installed(complete), testing)).toBe(false)
  const all = {
    ...complete,
    'node_modules/vitest': { version: '5.1.1' },
    'node_modules/vitest/node_modules/vite': { version: '9.0.0' },
  }
  expect(matchesLock(wanted, installed(all), testing)).toBe(true)
  expect(matchesLock(wanted, installed(all))).toBe(true)
})

test('detects a missing, a different and an extra package', () => {
  const { 'node_modules/vite': _, ...withoutVite } = complete
  expect(matchesLock(wanted, installed(withoutVite))).toBe(false)
  const older = { ...complete, 'node_modules/pg': { version: '8.22.0' } }
  expect(matchesLock(wanted, installed(older))).toBe(false)
  const more = { ...complete, 'node_modules/left-over': { version: '1.0.0' } }
  expect(matchesLock(wanted, installed(more))).toBe(false)
})

test('requires an optional package for this platform, such as the bundled Node', () => {
  const node = { version: '24.21.0', optional: true, os: process.platform, cpu: process.arch }
  const packages = {
    ...wanted.packages,
    'packages/node': { optionalDependencies: { 'node-here': '24.21.0', 'node-there': '24.21.0' } },
    'node_modules/node-here': node,
    'node_modules/node-there': { ...node, os: 'another' },
  }
  const lists = ['packages/node']
  expect(matchesLock({ packages }, installed(complete), lists)).toBe(false)
  const all = { ...complete, 'node_modules/node-here': { version: '24.21.0' } }
  expect(matchesLock({ packages }, installed(all), lists)).toBe(true)
})

test('counts the installed packages', () => {
  expect(createCounter(['packages/testing'])()).toMatch(/^(\d+) of \1 packages$/)
})

test('refuses to install without enough disk space and names the folder', () => {
  expect(() => refuseFullDisk(5_000_000, 6_000_000)).toThrow(
    /^There are 5 MB free on the disk of \/.*free some space there\.$/,
  )
  expect(refuseFullDisk(7_000_000, 6_000_000)).toBeUndefined()
})

test('returns a registry that does not respond, and skips the check behind a proxy', async () => {
  const env = { npm_config_user_agent: 'npm', npm_config_registry: 'http://127.0.0.1:1/' }
  expect(await findSilentRegistry(env)).toBe('http://127.0.0.1:1/')
  expect(await findSilentRegistry({ ...env, HTTPS_PROXY: 'http://127.0.0.1:1/' })).toBe(null)
})
