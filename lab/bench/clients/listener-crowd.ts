// Runs many listeners in a separate process. Meanwhile measures the server that streams to them, and the API.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchWorld } from '../world/bench-world.ts'
import { type Latency, watchLatencyFor } from './latency.ts'
import { round } from '../../harness/measure.ts'
import { canReadUsage, readProcessorSeconds, watchMemory } from '../../harness/process-usage.ts'
import { recordingBytes } from '../world/recordings-on-disk.ts'

export interface ListenersTask {
  port: number
  /** The session cookie of each listener. Empty if the server has no sign-in. */
  cookies: string[]
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

/** The server that streams to the listeners: Velour or nginx. */
export interface Streamer {
  port: number
  pid: number
  paths: string[]
}

export interface Crowd extends ListenersReport {
  count: number
  grown_megabytes: number
  /** CPU time of the server as a fraction of one core, while all listeners are connected. */
  processor_share: number
  idle: Latency
  meanwhile: Latency
}

/** Starts the listeners and measures. Memory growth is relative to `before` (bytes), by default the current memory. */
export async function startListenerCrowd(
  world: BenchWorld,
  streamer: Streamer,
  count: number,
  { forMs, before, cookies = [] }: { forMs: number; before?: number; cookies?: string[] },
): Promise<Crowd> {
  const idle = await watchLatencyFor(world, forMs)
  const memory = canReadUsage ? watchMemory(streamer.pid, before) : null
  const child = fork(join(import.meta.dirname, 'slow-listeners.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const { port, pid, paths } = streamer
  const task: ListenersTask = {
    port,
    cookies,
    paths,
    fileBytes: recordingBytes,
    count,
  }
  child.send(task)
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('The listeners broke off')),
  )
  await Promise.race([once(child, 'message'), failed])
  const [begunAt, spent] = [performance.now(), canReadUsage ? readProcessorSeconds(pid) : 0]
  const meanwhile = await watchLatencyFor(world, forMs)
  const seconds = (performance.now() - begunAt) / 1000
  const processor_share = canReadUsage ? round((readProcessorSeconds(pid) - spent) / seconds) : 0
  const grown_megabytes = memory?.stop() ?? 0
  child.send('stop')
  const [report] = (await Promise.race([once(child, 'message'), failed])) as [ListenersReport]
  await failed.catch(() => {})
  const crowd = { ...report, count, idle, meanwhile, grown_megabytes, processor_share }
  world.print(describe(crowd, pid === world.serverPid ? 'Velour' : 'nginx'))
  return crowd
}

const describe = (crowd: Crowd, name: string) =>
  `${crowd.count} listeners at ${name}: ${countInterrupted(crowd)} had to wait, + ${crowd.grown_megabytes} MB, ` +
  `${Math.round(crowd.processor_share * 100)} % of a core, ` +
  `API p99 ${crowd.meanwhile.p99_ms} ms (idle ${crowd.idle.p99_ms} ms)`

export const countInterrupted = ({ ran_dry, without_sound, cut_off }: ListenersReport) =>
  ran_dry + without_sound + cut_off
