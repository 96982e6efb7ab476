import { expect, test } from 'vitest'
import { matchesLock } from './install-dependencies.mjs'

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
