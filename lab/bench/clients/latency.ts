// API latency for one person who sends requests with pauses, while the server is idle or busy.
import { setTimeout as sleep } from 'node:timers/promises'
import { listTracks } from '#contract/tracks.ts'
import { listPlaylists } from '#contract/playlists.ts'
import type { BenchWorld } from '../world/bench-world.ts'
import { fetchBody } from '../world/http-client.ts'
import { percentile } from '../../harness/measure.ts'

/** Default pause between a response and the next request. */
const usualPauseMs = 5
/** Two requests: one response comes from the cache, one from the database. */
const paths = [listTracks.path, listPlaylists.path]

export interface Latency {
  median_ms: number
  p99_ms: number
}

/** Sends requests sequentially until `isOver` returns true. */
export async function watchLatency(
  world: BenchWorld,
  isOver: () => boolean,
  pauseMs = usualPauseMs,
): Promise<Latency> {
  const tookMs: number[] = []
  while (!isOver()) {
    const path = paths[tookMs.length % paths.length]!
    const start = performance.now()
    await fetchBody(world.url + path, { cookie: world.member })
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
