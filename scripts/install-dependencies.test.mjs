import { expect, test } from 'vitest'
import {
  findSilentRegistry,
  createCounter,
  matchesLock,
  refuseFullDisk,
} from './install-dependencies.mjs'

const wanted = {
  packages: {
    '': { name: 'velour' },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/vite': { version: '8.3.8', dev: true },
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  },
}
const installed = (packages) => ({ packages })
const complete = {
  'node_modules/pg': { version: '8.23.1' },
  'node_modules/vite': { version: '8.3.8' },
}

test('accepts just what the lock file asks for, without other platforms’ packages', () => {
  expect(matchesLock(wanted, installed(complete))).toBe(true)
})

test('notices a missing, a different and a superfluous package', () => {
  const { 'node_modules/vite': _, ...withoutVite } = complete
  expect(matchesLock(wanted, installed(withoutVite))).toBe(false)
  const older = { ...complete, 'node_modules/pg': { version: '8.22.0' } }
  expect(matchesLock(wanted, installed(older))).toBe(false)
  const more = { ...complete, 'node_modules/left-over': { version: '1.0.0' } }
  expect(matchesLock(wanted, installed(more))).toBe(false)
})

test('counts the packages that are there', () => {
  expect(createCounter()()).toMatch(/^(\d+) of \1 packages$/)
})

test('refuses to install where there is no room, in a sentence that names the folder', () => {
  expect(() => refuseFullDisk(5_000_000)).toThrow(
    /^There are 5 MB free on the disk of \/.*make room there\.$/,
  )
  expect(refuseFullDisk(5_000_000_000)).toBeUndefined()
})

test('names a registry that does not answer, and asks none behind a proxy', async () => {
  const env = { npm_config_user_agent: 'npm', npm_config_registry: 'http://127.0.0.1:1/' }
  expect(await findSilentRegistry(env)).toBe('http://127.0.0.1:1/')
  expect(await findSilentRegistry({ ...env, HTTPS_PROXY: 'http://127.0.0.1:1/' })).toBe(null)
})
