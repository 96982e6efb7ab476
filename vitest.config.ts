import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// Each worker of the server project keeps one core and the database busy.
const maxWorkers = Math.max(1, Math.min(4, availableParallelism()))

// A page that answers late on a busy machine is not wrong: vitest would wait for a second only.
const patient = { poll: { timeout: 15_000 } }

// Journeys that measure time or sound: each has the machine to itself.
const alone = ['bench-smoke', 'first-run', 'kill', 'player-sound'].map(
  (name) => `e2e/${name}.test.ts`,
)

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: 'server',
          expect: patient,
          include: ['{server,contract,scripts}/**/*.test.{ts,mjs}'],
          environment: 'node',
          globalSetup: ['./server/testing/test-postgres.ts'],
          // ffmpeg runs at a low priority, so beside busy processors it takes many times as long.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [react()],
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
          include: ['{server,e2e}/**/*.scale.ts'],
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
          include: ['{server,e2e}/**/*.security.ts'],
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
          include: ['faults/**/*.fault.ts'],
          environment: 'node',
          // Each has the machine to itself.
          fileParallelism: false,
          testTimeout: 420_000,
          hookTimeout: 420_000,
        },
      },
      {
        test: {
          name: 'engines',
          // The first sound of an engine starts its whole media stack.
          expect: { poll: { timeout: 60_000 } },
          include: ['e2e/engines/*.engine.ts'],
          environment: 'node',
          // Each has the machine to itself: sound is recorded.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'load',
          expect: patient,
          include: ['faults/**/*.load.ts'],
          environment: 'node',
          hookTimeout: 300_000,
        },
      },
      {
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
