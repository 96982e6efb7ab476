import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildIcons } from './vite.icons.ts'

// Each test worker of the server project fully uses one core, and all of them load the database.
const maxWorkers = Math.max(1, Math.min(4, availableParallelism()))

// For `expect.poll`: pages render slowly on a busy machine, and the default timeout is one second.
const patient = { poll: { timeout: 15_000 } }

// Tests that measure time or sound. They run one at a time, so that other tests don't disturb them.
const alone = [
  'lab/bench/bench-smoke.test.ts',
  'e2e/first-run.test.ts',
  'e2e/kill.test.ts',
  'e2e/player-sound.test.ts',
]

/**
 * Starts screens.test.ts first, because it takes longest: started last, it would run alone for minutes. On a fresh
 * clone there are no earlier durations, and the default order, by file size, would start it late.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = (file: TestSpecification) => file.moduleId.endsWith('/screens.test.ts')
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'server',
          expect: patient,
          include: ['{server,contract,composer,scripts}/**/*.test.{ts,mjs}', 'lab/**/*.test.mjs'],
          environment: 'node',
          globalSetup: ['./server/testing/test-postgres.ts'],
          // The tests run ffmpeg at low priority, so it takes many times as long on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [react(), buildIcons()],
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // Load the style sheets that two tests read as text (`?raw`). All others are empty in tests.
          css: { include: [/\.css\?raw/, /tokens\.css/] },
          expect: patient,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'scale',
          expect: patient,
          include: ['{server,lab}/**/*.scale.ts'],
          environment: 'node',
          globalSetup: ['./server/testing/test-postgres.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'security',
          expect: patient,
          include: ['{server,lab}/**/*.security.ts'],
          environment: 'node',
          globalSetup: ['./server/testing/test-postgres.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          expect: patient,
          include: ['lab/faults/*.fault.ts'],
          environment: 'node',
          // Run one file at a time, so tests don't disturb each other.
          fileParallelism: false,
          testTimeout: 420_000,
          hookTimeout: 420_000,
        },
      },
      {
        test: {
          name: 'engines',
          // Long timeout: the first sound in a browser engine starts its whole media stack, which is slow.
          expect: { poll: { timeout: 60_000 } },
          include: ['e2e/engines/*.engine.ts'],
          environment: 'node',
          // Run one file at a time: the tests record sound.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'clients',
          include: ['lab/clients/*.client.ts'],
          environment: 'node',
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'stripe-mock',
          expect: patient,
          // In these tests the fake Stripe also sends every request to stripe-mock.
          include: [
            'server/features/billing/**/*.test.ts',
            'server/features/{audit/audit-trail,users/erase-person,webhooks/record-events}.test.ts',
          ],
          environment: 'node',
          globalSetup: ['./server/testing/test-postgres.ts', './lab/clients/stripe-mock.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'load',
          expect: patient,
          include: ['lab/load/*.load.ts'],
          environment: 'node',
          hookTimeout: 300_000,
        },
      },
      {
        // One test visits every route and imports the routes of the web app, which need these plugins.
        plugins: [react(), buildIcons()],
        test: {
          name: 'e2e',
          expect: patient,
          include: ['e2e/**/*.test.ts'],
          exclude: alone,
          environment: 'node',
          maxConcurrency: 3,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'e2e-alone',
          expect: patient,
          include: alone,
          environment: 'node',
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
