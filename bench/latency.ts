// How long the API takes for one person who asks now and then, while the server does something else or nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { listTracks } from '#contract/tracks.ts'
import { listPlaylists } from '#contract/playlists.ts'
import type { BenchWorld } from './bench-world.ts'
import { ask } from './http-client.ts'
import { percentile } from './measure.ts'

/** Between an answer and the next question, unless a bench asks for another. */
const usualPauseMs = 5
/** One that is kept ready, one that the database answers. */
const paths = [listTracks.path, listPlaylists.path]

export interface Latency {
  median_ms: number
  p99_ms: number
}

/** Asks until `isOver`, each question after the answer to the last one. */
export async function watchLatency(
  world: BenchWorld,
  isOver: () => boolean,
  pauseMs = usualPauseMs,
): Promise<Latency> {
  const tookMs: number[] = []
  while (!isOver()) {
    const path = paths[tookMs.length % paths.length]!
    const start = performance.now()
    await ask(world.url + path, { cookie: world.member })
    tookMs.push(performance.now() - start)
    await sleep(pauseMs)
  }
  return { median_ms: percentile(tookMs, 0.5), p99_ms: percentile(tookMs, 0.99) }
}

export function watchLatencyFor(
  world: BenchWorld,
  forMs: number,
  pauseMs = usualPauseMs,
): Promise<Latency> {
  const end = performance.now() + forMs
  return watchLatency(world, () => performance.now() > end, pauseMs)
}
