// Random ranges of full tracks with checks of session and permissions, compared with nginx with one worker and no
// checks. Also measures a bare node:http server, the fastest that a server in JavaScript can be.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchWorld } from './world/bench-world.ts'
import { percentile, round, summarize, type Times } from '../harness/measure.ts'
import { startNginx } from './peers/nginx.ts'
import { canReadUsage, readProcessorSeconds } from '../harness/process-usage.ts'
import { requestRanges, connections, type RangeTarget } from './clients/range-client.ts'
import { objectsFolder, putRecordings, recordingBytes } from './world/recordings-on-disk.ts'
import { type Finding, createUnmeasuredFinding } from './report.ts'

const rounds = 5
const goal = 0.5

interface Side {
  target: RangeTarget
  pid: number
  rangeMs: number[]
  processorMs: number[]
  /** CPU time of the client as a fraction of one core, for each round. */
  clientShares: number[]
}

export async function benchStream(world: BenchWorld): Promise<Finding[]> {
  const recordings = await putRecordings(world, 20)
  const cookies = await world.signInListeners(connections)
  const folder = objectsFolder(world)
  const bare = fork(
    join(import.meta.dirname, 'peers', 'bare-ranges.ts'),
    [folder, String(recordingBytes)],
    {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    },
  )
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
  const nginx = await startNginx(folder)
  try {
    const findings: Finding[] = []
    for (const [name, fileCount] of [
      ['2 recordings, 16 MB', 2],
      ['20 recordings, 160 MB', 20],
    ] as const) {
      const some = recordings.slice(0, fileCount)
      const side = (pid: number, port: number, paths: string[], cookies: string[] = []): Side => ({
        target: { host: '127.0.0.1', port, paths, cookies, fileBytes: recordingBytes },
        pid,
        rangeMs: [],
        processorMs: [],
        clientShares: [],
      })
      const files = some.map(({ file }) => file)
      const ours = side(
        world.serverPid,
        Number(new URL(world.url).port),
        some.map(({ path }) => path),
        cookies,
      )
      const floor = side(bare.pid!, port, files)
      const limit = nginx && side(nginx.pid, nginx.port, files)
      await measureInTurns([ours, ...(limit ? [limit] : []), floor], world.budgetMs)
      findings.push(
        limit
          ? finding(`${name}, per range`, ours, limit, 'nginx, one worker', goal)
          : createUnmeasuredFinding(`${name}, per range, beside nginx`, 'nginx is not installed'),
      )
      findings.push(
        finding(`${name}, per range, floor`, ours, floor, 'bare node:http', limit ? null : goal),
      )
      if (limit) {
        findings.push(
          finding(`${name}, bare node:http, too`, floor, limit, 'nginx, one worker', null),
        )
      }
    }
    for (const { name, value } of findings) world.print(`${name}: ${value}`)
    return findings
  } finally {
    bare.disconnect()
    await nginx?.stop()
  }
}

async function measureInTurns(sides: readonly Side[], budgetMs: number): Promise<void> {
  for (let i = 0; i <= rounds; i++) {
    for (const side of sides) {
      const spent = canReadUsage ? () => readProcessorSeconds(side.pid) : undefined
      const { perRangeMs, processorMs, clientShare } = await requestRanges(
        side.target,
        budgetMs,
        spent,
      )
      // Don't count the first round, which is the warm-up.
      if (i === 0) continue
      side.rangeMs.push(perRangeMs)
      side.processorMs.push(processorMs)
      side.clientShares.push(clientShare)
    }
  }
}

function finding(name: string, a: Side, b: Side, peer_is: string, least: number | null): Finding {
  const [ours, peer] = [summarize(a.rangeMs), summarize(b.rangeMs)]
  const ratio = round(peer.median_ms / ours.median_ms)
  const processor = (side: Side) => `${summarize(side.processorMs).median_ms} ms`
  const client = (side: Side) => `${Math.round(percentile(side.clientShares, 0.5) * 100)} %`
  const cost = canReadUsage ? `; processor time ${processor(a)} to ${processor(b)}` : ''
  return {
    name,
    ours,
    peer,
    peer_is,
    goal: least === null ? 'none' : `≥ ${least} × its rate`,
    value: `${ratio} × its rate (${perSecond(ours)}/s to ${perSecond(peer)}/s${cost}; the client took ${client(a)} and ${client(b)} of a core)`,
    ok: least === null || ratio >= least,
  }
}

const perSecond = ({ median_ms }: Times) => Math.round(1000 / median_ms)
