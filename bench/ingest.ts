// From the upload to the published track, several at once, against the same ffmpeg commands on the same files by hand,
// as many of them at once as there are cores; and whether members notice.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { analyzeAudio } from '#server/media/analyze-audio.ts'
import { createFfmpeg, type Ffmpeg } from '#server/media/ffmpeg.ts'
import { probeAudio } from '#server/media/probe.ts'
import { renderRenditions } from '#server/media/renditions.ts'
import type { BenchWorld } from './bench-world.ts'
import { bringIn, deleteTrack, waitUntilPublished } from './bring-in.ts'
import { type Latency, watchLatency, watchLatencyFor } from './latency.ts'
import { makeRecording } from './make-recording.ts'
import { percentile, round, summarise, timeMs } from './measure.ts'
import { canReadUsage, processorSeconds } from './process-usage.ts'
import type { Finding } from './report.ts'

const cores = availableParallelism()
const previewLengthSeconds = 45
const idleMs = 3_000

type Command = Parameters<Ffmpeg['run']>

interface Run {
  ms: number
  /** How many cores were busy with it, on average. */
  busy: number
}

export async function benchIngest(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const size = isSmoke ? { files: 2, seconds: 4, rounds: 1 } : { files: 4, seconds: 90, rounds: 2 }
  const folder = await mkdtemp(join(tmpdir(), 'velour-ingest-'))
  try {
    const files = Array.from({ length: size.files }, (_, i) => join(folder, `${i}.wav`))
    for (const [i, file] of files.entries()) await makeRecording(file, size.seconds, i + 1)
    const ffmpeg = await createFfmpeg()
    const commands: Command[][] = []
    for (const file of files) commands.push(await hearCommands(ffmpeg, file, folder))
    const [ours, byHand, encoding]: [Run[], Run[], Run[]] = [[], [], []]
    const idle: Latency[] = []
    const meanwhile: Latency[] = []
    for (let i = 0; i < size.rounds; i++) {
      idle.push(await watchLatencyFor(world, isSmoke ? 100 : idleMs))
      const round = await ingest(world, files)
      ours.push(round.run)
      meanwhile.push(round.latency)
      byHand.push(await runByHand(ffmpeg, commands))
      encoding.push(
        await runByHand(
          ffmpeg,
          commands.map((own) => own.slice(1)),
        ),
      )
      world.say(
        `${files.length} files: ${Math.round(ours.at(-1)!.ms)} ms, by hand ${Math.round(byHand.at(-1)!.ms)} ms, p99 ${round.latency.p99_ms} ms (idle ${idle.at(-1)!.p99_ms} ms)`,
      )
    }
    const what = `${files.length} files of ${size.seconds} s`
    return judge(what, { ours, byHand, encoding, idle, meanwhile })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What the pipeline has ffmpeg do for a file: looking at all of it, then writing what listeners get. */
async function hearCommands(ffmpeg: Ffmpeg, file: string, folder: string): Promise<Command[]> {
  const commands: Command[] = []
  const listening: Ffmpeg = {
    ...ffmpeg,
    run(...command) {
      commands.push(command)
      return ffmpeg.run(...command)
    },
  }
  const header = await probeAudio(file)
  const { durationSeconds } = await analyzeAudio(listening, { ...header, path: file })
  await renderRenditions(listening, {
    source: { ...header, path: file, durationSeconds },
    outputs: {
      standard: `${file}.standard.m4a`,
      high: `${file}.high.m4a`,
      preview: { path: `${file}.preview.m4a`, previewLengthSeconds },
    },
    tags: {
      title: 'A recording',
      artist: 'Bench',
      genre: null,
      ai_disclosure: 'human',
      ai_tool: null,
    },
  })
  if (commands.length !== 2) throw new Error(`${folder}: the pipeline has another shape by now`)
  // What ffmpeg tells on the way is taken as fast as it comes and thrown away.
  return commands.map(([args, run]): Command => {
    const { inputs, outputs, timeoutMs } = run
    return [args, { inputs, outputs, timeoutMs }]
  })
}

async function ingest(world: BenchWorld, files: readonly string[]) {
  let isOver = false
  const ids: string[] = []
  const watching = watchLatency(world, () => isOver)
  const before = canReadUsage ? processorSeconds(world.serverPid, true) : 0
  const ms = await timeMs(async () => {
    for (const file of files) ids.push(await bringIn(world, file))
    for (const id of ids) await waitUntilPublished(world, id)
  })
  const spent = canReadUsage ? processorSeconds(world.serverPid, true) - before : 0
  isOver = true
  const latency = await watching
  for (const id of ids) await deleteTrack(world, id)
  return { run: { ms, busy: (spent * 1000) / ms }, latency }
}

async function runByHand(ffmpeg: Ffmpeg, commands: readonly Command[][]): Promise<Run> {
  const waiting = [...commands]
  const before = canReadUsage ? processorSeconds(process.pid, true) : 0
  const work = async () => {
    for (let own = waiting.shift(); own; own = waiting.shift()) {
      for (const command of own) await ffmpeg.run(...command)
    }
  }
  const ms = await timeMs(() => Promise.all(Array.from({ length: cores }, work)))
  const spent = canReadUsage ? processorSeconds(process.pid, true) - before : 0
  return { ms, busy: (spent * 1000) / ms }
}

function judge(
  what: string,
  runs: { ours: Run[]; byHand: Run[]; encoding: Run[]; idle: Latency[]; meanwhile: Latency[] },
): Finding[] {
  const times = (of: Run[]) => summarise(of.map(({ ms }) => ms))
  const busy = (of: Run[]) =>
    percentile(
      of.map((run) => run.busy),
      0.5,
    )
  const [ours, byHand, encoding] = [times(runs.ours), times(runs.byHand), times(runs.encoding)]
  const ratio = round(byHand.median_ms / ours.median_ms)
  const slowdown = percentile(
    runs.meanwhile.map(({ p99_ms }, i) => round(p99_ms / runs.idle[i]!.p99_ms)),
    0.5,
  )
  const slowest = (of: Latency[]) =>
    percentile(
      of.map(({ p99_ms }) => p99_ms),
      0.5,
    )
  return [
    {
      name: `${what}, upload to published`,
      ours,
      peer: byHand,
      peer_is: `the same ffmpeg commands by hand, ${cores} at once`,
      goal: '≥ 0.8 × its speed',
      value: `${ratio} × its speed`,
      ok: ratio >= 0.8,
    },
    {
      name: `${what}, beside the encoding alone`,
      ours,
      peer: encoding,
      peer_is: 'without measuring loudness, length and waveform',
      goal: 'none',
      value: `${round(encoding.median_ms / ours.median_ms)} × its speed`,
      ok: true,
    },
    {
      name: `${what}, cores at work`,
      goal: `≥ 0.8 × those by hand`,
      value: canReadUsage
        ? `${busy(runs.ours)} to ${busy(runs.byHand)} of ${cores}`
        : 'only Linux tells',
      ok: canReadUsage && busy(runs.ours) >= 0.8 * busy(runs.byHand),
    },
    {
      name: `${what}, API meanwhile, the slowest of a hundred`,
      goal: 'p99 ≤ 3 × idle',
      value: `${slowdown} × (${slowest(runs.meanwhile)} ms to ${slowest(runs.idle)} ms)`,
      ok: slowdown <= 3,
    },
  ]
}
