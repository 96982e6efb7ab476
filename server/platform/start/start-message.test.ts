import { expect, test } from 'vitest'
import { describeStart } from './start-message.ts'

const config = { brandName: 'Velour', publicUrl: 'http://127.0.0.1:3000', role: 'all' } as const

test('shows the URL, and the accounts of the demo', () => {
  const text = describeStart(config, {
    elapsedMs: 1234,
    isDemo: true,
    fullFolder: null,
    setupLink: null,
  })
  expect(text).toContain('Velour is ready at http://127.0.0.1:3000  (1.2 s)')
  expect(text).toContain('admin@velour.test')
  expect(text).not.toContain('full')
})

test('reports a full disk', () => {
  const start = { elapsedMs: 1234, isDemo: true, fullFolder: '/data/storage', setupLink: null }
  const text = describeStart(config, start)
  expect(text).toContain('is ready at http://127.0.0.1:3000, but its disk is full  (1.2 s)')
  expect(text).toContain('The disk of /data/storage is full')
  expect(text).toContain('the demo music waits')
  expect(text).toContain('DATA_DIR')
})

test('prints the link for creating the first admin in one line, except in a worker', () => {
  const setupLink = 'http://127.0.0.1:3000/setup#code'
  const start = { elapsedMs: 1234, isDemo: false, fullFolder: null, setupLink }
  expect(describeStart(config, start).split('\n')).toContain(
    `  No owner yet. Open this link to create the first admin: ${setupLink}`,
  )
  expect(describeStart({ ...config, role: 'worker' }, start)).not.toContain(setupLink)
})
