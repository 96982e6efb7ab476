// Time from upload to published track, for several files and for one. Compared with one ffmpeg command per file that
// creates the same three files, with as many commands at once as there are cores. Also measures response times of the
// API meanwhile.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFfmpeg, type Ffmpeg } from '#server/platform/ffmpeg/ffmpeg.ts'
import { probeAudio } from '#server/platform/ffmpeg/probe.ts'
import { renderRenditions } from '#server/platform/ffmpeg/renditions.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { importRecording, deleteTrack, waitUntilPublished } from './world/import-recording.ts'
import { type Latency, watchLatency, watchLatencyFor } from './clients/latency.ts'
import { makeRecording } from './world/make-recording.ts'
import { percentile, round, summarize, measureMs } from '../harness/measure.ts'
import { readMachineCpuSeconds, canReadUsage } from '../harness/process-usage.ts'
import type { Finding } from './report.ts'

const cores = availableParallelism()
const previewLengthSeconds = 45
/** The length of typical songs is two to four minutes. */
const songSeconds = 180
const idleMs = 10_000
/** Pause between two requests of one person. Without a pause, the requests alone would use half a core. */
const pauseMs = 50

interface Run {
  ms: number
  /** Average number of cores that were busy. */
  busy: number
}

interface Rounds {
  ours: Run[]
  byHand: Run[]
  idle: Latency[]
  meanwhile: Latency[]
}

export async function benchIngest(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const several = isSmoke ? 2 : 2 * cores
  const works = isSmoke
    ? [{ files: several, seconds: 4 }]
    : [
        { files: several, seconds: songSeconds },
        { files: 1, seconds: songSeconds },
        // Shorter files, because the cost of a cover doesn't depend on the length of the song.
        { files: several, seconds: songSeconds / 2 },
      ]
  const ffmpeg = await createFfmpeg()
  const folder = await mkdtemp(join(tmpdir(), 'velour-ingest-'))
  try {
    const findings: Finding[] = []
    for (const { files: count, seconds } of works) {
      const files = Array.from({ length: count }, (_, i) => join(folder, `${seconds}-${i}.wav`))
      for (const [i, file] of files.entries()) await makeRecording(file, seconds, i + 1)
      const rounds: Rounds = { ours: [], byHand: [], idle: [], meanwhile: [] }
      for (let i = 0; i < (isSmoke ? 1 : 3); i++) {
        rounds.idle.push(await watchLatencyFor(world, isSmoke ? 100 : idleMs, pauseMs))
        const { run, latency } = await ingest(world, files)
        rounds.ours.push(run)
        rounds.meanwhile.push(latency)
        // Send the same API requests during the comparison, so that both sides run under the same load.
        const byHand = await measureLatencyDuring(world, () => encodeByHand(ffmpeg, files))
        rounds.byHand.push(byHand.result)
        world.print(describe(count, rounds))
      }
      findings.push(...judge(`${count} ${count > 1 ? 'files' : 'file'} of ${seconds} s`, rounds))
    }
    return findings
  } finally {
    await rm(folder, { recursive: true })
  }
}

function describe(count: number, { ours, byHand, idle, meanwhile }: Rounds): string {
  const show = ({ ms, busy }: Run) => `${Math.round(ms)} ms on ${round(busy)} cores`
  return `${count}: ${show(ours.at(-1)!)}, by hand ${show(byHand.at(-1)!)}, p99 ${meanwhile.at(-1)!.p99_ms} ms (idle ${idle.at(-1)!.p99_ms} ms)`
}

async function ingest(world: BenchWorld, files: readonly string[]) {
  const ids: string[] = []
  const before = canReadUsage ? readMachineCpuSeconds() : 0
  const { result, latency } = await measureLatencyDuring(world, () =>
    measureMs(async () => {
      for (const file of files) ids.push(await importRecording(world, file))
      for (const id of ids) await waitUntilPublished(world, id)
    }),
  )
  const spent = canReadUsage ? readMachineCpuSeconds() - before : 0
  for (const id of ids) await deleteTrack(world, id)
  return { run: { ms: result, busy: (spent * 1000) / result }, latency }
}

async function measureLatencyDuring<T>(world: BenchWorld, run: () => Promise<T>) {
  let isOver = false
  const watching = watchLatency(world, () => isOver, pauseMs)
  try {
    const result = await run()
    isOver = true
    return { result, latency: await watching }
  } finally {
    isOver = true
  }
}

/** Runs one ffmpeg command per file with the settings of the server. It decodes the file only once. */
async function encodeByHand(ffmpeg: Ffmpeg, files: readonly string[]): Promise<Run> {
  const sources = await Promise.all(
    files.map(async (path) => ({ ...(await probeAudio(path)), path })),
  )
  const before = canReadUsage ? readMachineCpuSeconds() : 0
  // `ffmpeg` runs at most as many processes at once as there are cores.
  const ms = await measureMs(() =>
    Promise.all(
      sources.map((source) =>
        renderRenditions(ffmpeg, {
          source,
          outputs: {
            standard: `${source.path}.standard.m4a`,
            high: `${source.path}.high.m4a`,
            preview: {
              path: `${source.path}.preview.m4a`,
              previewLengthSeconds,
              trackSeconds: source.durationSeconds!,
            },
          },
          tags: {
            title: 'A recording',
            artist: 'Bench',
            genre: null,
            ai_disclosure: 'human',
            ai_tool: null,
          },
        }),
      ),
    ),
  )
  const spent = canReadUsage ? readMachineCpuSeconds() - before : 0
  return { ms, busy: (spent * 1000) / ms }
}

function judge(what: string, rounds: Rounds): Finding[] {
  const times = (of: Run[]) => summarize(of.map(({ ms }) => ms))
  const middle = (values: number[]) => percentile(values, 0.5)
  const busy = (of: Run[]) => middle(of.map((run) => run.busy))
  const spent = (of: Run[]) => middle(of.map(({ ms, busy: share }) => (ms * share) / 1000))
  const slowest = (of: Latency[]) => middle(of.map(({ p99_ms }) => p99_ms))
  const { idle, meanwhile } = rounds
  const [ours, byHand] = [times(rounds.ours), times(rounds.byHand)]
  const ratio = round(byHand.median_ms / ours.median_ms)
  const slowdown = middle(meanwhile.map(({ p99_ms }, i) => round(p99_ms / idle[i]!.p99_ms)))
  return [
    {
      name: `${what}, upload to published`,
      ours,
      peer: byHand,
      peer_is: `ffmpeg makes the three files, one command for each recording, ${cores} at once`,
      goal: '≥ 0.8 × its speed',
      value: `${ratio} × its speed`,
      ok: ratio >= 0.8,
    },
    {
      name: `${what}, processor time`,
      goal: 'none',
      value: canReadUsage
        ? `${spent(rounds.ours)} s to ${spent(rounds.byHand)} s, both with the API's answers meanwhile`
        : 'only available on Linux',
      ok: true,
    },
    {
      name: `${what}, cores at work`,
      goal: `≥ 0.8 × those by hand`,
      value: canReadUsage
        ? `${busy(rounds.ours)} to ${busy(rounds.byHand)} of ${cores}`
        : 'only available on Linux',
      ok: canReadUsage && busy(rounds.ours) >= 0.8 * busy(rounds.byHand),
    },
    {
      name: `${what}, API meanwhile, the slowest of a hundred`,
      goal: 'p99 ≤ 3 × idle',
      value: `${slowdown} × (${slowest(meanwhile)} ms to ${slowest(idle)} ms)`,
      ok: slowdown <= 3,
    },
  ]
}
