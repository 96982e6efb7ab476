import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildIcons } from './vite.icons.ts'

// Each worker of the server project keeps one core and the database busy.
const maxWorkers = Math.max(1, Math.min(4, availableParallelism()))

// Pages render slowly on a busy machine, and vitest polls for only one second by default.
const patient = { poll: { timeout: 15_000 } }

// Journeys that measure time or sound. They run one at a time, so other tests don't disturb them.
const alone = [
  'lab/bench/bench-smoke.test.ts',
  'e2e/first-run.test.ts',
  'e2e/kill.test.ts',
  'e2e/player-sound.test.ts',
]

/**
 * Starts the journey through every screen first: it takes longest, and last it would run alone for minutes. The default
 * order would start it late on a fresh clone, because that order is by file size when there are no earlier durations.
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
          // ffmpeg runs at low priority, so it takes many times as long on a busy machine.
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
          // Two tests read style sheets as text (`?raw`); components get none.
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
          // The first sound in a browser engine starts its whole media stack, which is slow.
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
          // The fake Stripe of these tests sends every request to stripe-mock too.
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
        // One journey visits every route, so it loads the routes of the web app.
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
