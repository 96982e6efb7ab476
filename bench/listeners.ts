// Two thousand people who listen at once to one process: whether all of them hear their music without a gap, what it
// takes of memory, and whether the others notice. Up to there, one to a thousand show how it grows.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchWorld } from './bench-world.ts'
import { type Latency, watchLatencyFor } from './latency.ts'
import { percentile, round } from './measure.ts'
import { canReadUsage, residentBytes, watchMemory } from './process-usage.ts'
import { putRecordings, recordingBytes } from './recordings-on-disk.ts'
import type { Finding } from './report.ts'

export interface ListenersTask {
  port: number
  cookie: string
  paths: string[]
  fileBytes: number
  count: number
}

export interface ListenersReport {
  ran_dry: number
  without_sound: number
  cut_off: number
  received_bytes: number
}

interface Crowd extends ListenersReport {
  count: number
  grown_megabytes: number
  idle: Latency
  meanwhile: Latency
}

const most = 2_000

export async function benchListeners(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const recordings = await putRecordings(world, 20)
  const paths = recordings.map(({ path }) => path)
  // What an earlier crowd left behind counts, too.
  const before = canReadUsage ? residentBytes(world.serverPid) : 0
  const crowds: Crowd[] = []
  for (const count of isSmoke ? [1, 50] : [1, 10, 100, 1_000, most, most]) {
    const crowd = await gather(world, paths, count, {
      forMs: world.budgetMs * (count === most ? 3 : 1),
      before,
    })
    world.say(
      `${count} listeners: ${crowd.ran_dry} ran dry, + ${crowd.grown_megabytes} MB, p99 ${crowd.meanwhile.p99_ms} ms (idle ${crowd.idle.p99_ms} ms)`,
    )
    crowds.push(crowd)
  }
  return judge(crowds)
}

async function gather(
  world: BenchWorld,
  paths: string[],
  count: number,
  { forMs, before }: { forMs: number; before: number },
): Promise<Crowd> {
  const idle = await watchLatencyFor(world, forMs)
  const memory = canReadUsage ? watchMemory(world.serverPid, before) : null
  const child = fork(join(import.meta.dirname, 'slow-listeners.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const task: ListenersTask = {
    port: Number(new URL(world.url).port),
    cookie: world.member,
    paths,
    fileBytes: recordingBytes,
    count,
  }
  child.send(task)
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('The listeners broke off')),
  )
  await Promise.race([once(child, 'message'), failed])
  const meanwhile = await watchLatencyFor(world, forMs)
  const grown_megabytes = memory?.stop() ?? 0
  child.send('stop')
  const [report] = (await Promise.race([once(child, 'message'), failed])) as [ListenersReport]
  await failed.catch(() => {})
  return { ...report, count, idle, meanwhile, grown_megabytes }
}

function judge(crowds: readonly Crowd[]): Finding[] {
  const largest = Math.max(...crowds.map(({ count }) => count))
  const full = crowds.filter(({ count }) => count === largest)
  const worst = (of: (crowd: Crowd) => number) => Math.max(...full.map(of))
  const unhappy = worst(({ ran_dry, without_sound, cut_off }) => ran_dry + without_sound + cut_off)
  const grown = worst(({ grown_megabytes }) => grown_megabytes)
  const slowdown = ({ idle, meanwhile }: Crowd) => meanwhile.p99_ms / idle.p99_ms
  const byIt = full.toSorted((a, b) => slowdown(a) - slowdown(b))
  const typical = byIt[Math.floor((byIt.length - 1) / 2)]!
  const { idle, meanwhile } = typical
  const ratio = round(slowdown(typical))
  const who = `${largest} listeners at once`
  return [
    {
      name: `${who}: those who had to wait for their music`,
      goal: 'none of them',
      value: String(unhappy),
      ok: unhappy === 0,
    },
    {
      name: `${who}: memory of the server`,
      goal: '≤ 100 MB more',
      value: canReadUsage ? `+ ${grown} MB` : 'only Linux tells',
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

/** The median of the runs with as many listeners. */
function line(name: string, crowds: readonly Crowd[], of: (crowd: Crowd) => number) {
  const counts = [...new Set(crowds.map(({ count }) => count))]
  const points = counts.map((count): [number, number] => [
    count,
    percentile(crowds.filter((crowd) => crowd.count === count).map(of), 0.5),
  ])
  return { name, points }
}
