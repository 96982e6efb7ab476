// Up to two thousand listeners on one server process: whether all play without a gap, how much memory they need, and
// how response times of the API change. The listeners use the same cores as the server, so the same number of listeners
// on nginx shows what the machine can do.
import type { BenchWorld } from './world/bench-world.ts'
import { watchLatencyFor } from './clients/latency.ts'
import {
  type Crowd,
  startListenerCrowd,
  type Streamer,
  countInterrupted,
} from './clients/listener-crowd.ts'
import { percentile, round } from '../harness/measure.ts'
import { type Nginx, startNginx } from './peers/nginx.ts'
import { canReadUsage, readResidentBytes } from '../harness/process-usage.ts'
import { objectsFolder, putRecordings, type RecordingOnDisk } from './world/recordings-on-disk.ts'
import { type Finding, createUnmeasuredFinding } from './report.ts'

const most = 2_000
const growth = [1, 10, 100, 500, 1_000, most, most, most]

export async function benchListeners(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const counts = isSmoke ? [1, 50] : growth
  const largest = Math.max(...counts)
  const recordings = await putRecordings(world, 20)
  const cookies = await world.signInListeners(largest)
  const velour: Streamer = {
    port: Number(new URL(world.url).port),
    pid: world.serverPid,
    paths: recordings.map(({ path }) => path),
  }
  // Warm up, because the first API requests also allocate memory.
  await watchLatencyFor(world, world.budgetMs)
  // Measure memory only once, before all crowds. What the server keeps after a smaller crowd then counts as growth.
  const before = canReadUsage ? readResidentBytes(velour.pid) : 0
  const forMs = (count: number) => world.budgetMs * (count === most ? 3 : 1)
  const crowds: Crowd[] = []
  for (const count of counts) {
    crowds.push(
      await startListenerCrowd(world, velour, count, { forMs: forMs(count), before, cookies }),
    )
  }
  const atNginx = await gatherAtNginx(world, recordings, largest, forMs(largest))
  return [...judge(crowds), ...compareWithNginx(crowds, atNginx)]
}

async function gatherAtNginx(
  world: BenchWorld,
  recordings: RecordingOnDisk[],
  count: number,
  forMs: number,
): Promise<Crowd | null> {
  const nginx: Nginx | null = await startNginx(objectsFolder(world))
  if (!nginx) return null
  try {
    const paths = recordings.map(({ file }) => file)
    return await startListenerCrowd(world, { ...nginx, paths }, count, { forMs })
  } finally {
    await nginx.stop()
  }
}

const slowdown = ({ idle, meanwhile }: Crowd) => meanwhile.p99_ms / idle.p99_ms

/** Returns the run with the median slowdown among those with the most listeners. */
function findTypicalRun(crowds: readonly Crowd[]): Crowd {
  const largest = Math.max(...crowds.map(({ count }) => count))
  const byIt = crowds
    .filter(({ count }) => count === largest)
    .toSorted((a, b) => slowdown(a) - slowdown(b))
  return byIt[Math.floor(byIt.length / 2)]!
}

/** Compares with nginx, which streams to the same listeners. The difference is not due to the load on the machine. */
function compareWithNginx(crowds: readonly Crowd[], atNginx: Crowd | null): Finding[] {
  if (!atNginx)
    return [createUnmeasuredFinding('the same crowd at nginx', 'nginx is not installed')]
  const typical = findTypicalRun(crowds)
  const share = ({ processor_share }: Crowd) => `${Math.round(processor_share * 100)} %`
  return [
    {
      name: `${atNginx.count} listeners at nginx: those who had to wait`,
      goal: 'none',
      value: String(countInterrupted(atNginx)),
      ok: true,
    },
    {
      name: `${atNginx.count} listeners at nginx: our API meanwhile, the slowest of a hundred`,
      goal: 'none',
      value: `${round(slowdown(atNginx))} × (${atNginx.meanwhile.p99_ms} ms to ${atNginx.idle.p99_ms} ms)`,
      ok: true,
    },
    {
      name: `${atNginx.count} listeners: processor time of Velour with its API, and of nginx`,
      goal: 'none',
      value: `${share(typical)} of a core to ${share(atNginx)}`,
      ok: true,
    },
  ]
}

function judge(crowds: readonly Crowd[]): Finding[] {
  const largest = Math.max(...crowds.map(({ count }) => count))
  const full = crowds.filter(({ count }) => count === largest)
  const worst = (of: (crowd: Crowd) => number) => Math.max(...full.map(of))
  const interrupted = worst(countInterrupted)
  const grown = worst(({ grown_megabytes }) => grown_megabytes)
  const typical = findTypicalRun(crowds)
  const { idle, meanwhile } = typical
  const ratio = round(slowdown(typical))
  const who = `${largest} listeners at once`
  return [
    {
      name: `${who}: those who had to wait for their music`,
      goal: 'none of them',
      value: String(interrupted),
      ok: interrupted === 0,
    },
    {
      name: `${who}: memory of the server`,
      goal: '≤ 100 MB more',
      value: canReadUsage ? `+ ${grown} MB` : 'only available on Linux',
      ok: canReadUsage && grown <= 100,
      curve: {
        x: 'listeners',
        y: 'MB more',
        lines: [line('memory', crowds, ({ grown_megabytes }) => Math.max(1, grown_megabytes))],
      },
    },
    {
      name: `${who}: API, the slowest of a hundred`,
      goal: 'p99 ≤ 3 × idle',
      value: `${ratio} × (${meanwhile.p99_ms} ms to ${idle.p99_ms} ms)`,
      ok: ratio <= 3,
      curve: {
        x: 'listeners',
        y: 'ms per answer of the API',
        lines: [
          line('p99', crowds, (one) => one.meanwhile.p99_ms),
          line('median', crowds, (one) => one.meanwhile.median_ms),
          line('p99, idle', crowds, (one) => one.idle.p99_ms),
        ],
      },
    },
  ]
}

/** Returns the median for each number of listeners. */
function line(name: string, crowds: readonly Crowd[], of: (crowd: Crowd) => number) {
  const counts = [...new Set(crowds.map(({ count }) => count))]
  const points = counts.map((count): [number, number] => [
    count,
    percentile(crowds.filter((crowd) => crowd.count === count).map(of), 0.5),
  ])
  return { name, points }
}
