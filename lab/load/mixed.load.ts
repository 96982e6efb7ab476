// Ten minutes of everyday use, all kinds at the same time (LOAD_MINUTES sets the duration). No request may fail, no
// event stream may end, and the server's memory must not grow.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { percentile } from '../harness/measure.ts'
import { readResidentBytes } from '../harness/process-usage.ts'
import { freePort } from '#server/testing/storage/s3-server.ts'
import { auditAll, openWorld, createWriters, type FaultWorld } from './fault-world.ts'
import { openHeapProbe, type HeapProbe } from './heap-probe.ts'
import { startLoad } from './load.ts'
import { startOneProcess, type OneProcess } from './one-process.ts'
import { createBrowser, openWindow } from './readers.ts'
import type { Writer } from './writer.ts'

const minutes = Number(process.env['LOAD_MINUTES'] ?? 10)
const samples = 36
const megabyte = 1024 ** 2
/** Allowed growth, because caches, for example of lists and sessions, may still grow a little. */
const mayGrow = { heap: 6 * megabyte, resident: 40 * megabyte }
/** Time between two actions of each writer, as in real use. Fault tests write faster. */
const everyMs: Record<string, number> = {
  likes: 3000,
  playlists: 2500,
  'sign-ups': 4000,
  purchases: 5000,
  settings: 10_000,
  categories: 8000,
  uploads: 30_000,
}

let server: OneProcess
let world: FaultWorld
let probe: HeapProbe
beforeAll(async () => {
  const port = await freePort()
  server = await startOneProcess({ env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` } })
  world = await openWorld(server, { members: 24 })
  probe = await openHeapProbe(port)
})
afterAll(async () => {
  probe?.close()
  await world?.close()
})

const timeout = minutes * 60_000 + 300_000
test(`${minutes} minutes of mixed load without failures or leaks`, { timeout }, async () => {
  const writers: Writer[] = [
    ...createWriters(world).map((writer) => ({
      ...writer,
      everyMs: everyMs[writer.name] ?? writer.everyMs,
    })),
    ...world.members.map((member) => createBrowser(world, member)),
  ]
  const windows = await Promise.all(world.members.map(openWindow))
  const load = startLoad(writers)
  const memory: { heap: number; resident: number }[] = []
  for (let sample = 0; sample < samples; sample++) {
    await sleep((minutes * 60_000) / samples)
    memory.push({ heap: await probe.measure(), resident: readResidentBytes(server.pid()) })
  }
  await load.pause()
  report(world)
  const growth = (['heap', 'resident'] as const).map((kind) => computeGrowth(kind, memory))
  for (const { summary } of growth) process.stdout.write(`  ${summary}\n`)
  const problems = await auditAll(world, writers)

  expect(problems, `FAULT_SEED=${world.chance.seed}`).toEqual([])
  expect(windows.map((window) => window.end())).toEqual(windows.map(() => null))
  expect(Math.min(...windows.map((window) => window.eventCount()))).toBeGreaterThan(0)
  for (const window of windows) window.close()
  // Count only 5xx and missing responses. Some 4xx are expected, for example for a range beyond the end of a file.
  const bad = Object.keys(world.responses.byStatus()).filter(
    (status) => status === '0' || Number(status) >= 500,
  )
  expect(bad).toEqual([])
  for (const { summary, kind, bytes } of growth) expect(bytes, summary).toBeLessThan(mayGrow[kind])
})

/** Returns how much memory grew from the second sixth of the time, when caches are filled, to the last sixth. */
function computeGrowth(kind: keyof typeof mayGrow, memory: readonly Record<typeof kind, number>[]) {
  const values = memory.map((one) => one[kind])
  const [early, late] = [medianOfSixth(values, 1), medianOfSixth(values, 5)]
  const summary = `${kind}: ${toMegabytes(early)} MB in the second sixth, ${toMegabytes(late)} MB in the last`
  return { kind, summary, bytes: late - early }
}

const toMegabytes = (bytes: number) => (bytes / megabyte).toFixed(1)

function medianOfSixth(values: readonly number[], sixth: number): number {
  const size = values.length / 6
  return percentile(values.slice(sixth * size, (sixth + 1) * size), 0.5)
}

function report({ responses }: FaultWorld): void {
  process.stdout.write(`  responses ${JSON.stringify(responses.byStatus())}\n`)
  const lines = [...responses.times()]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([path, times]) => {
      const [median, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
      return `  ${path.padEnd(36)} ${String(times.length).padStart(6)}  median ${median.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`
    })
  process.stdout.write(`${lines.join('\n')}\n`)
}
