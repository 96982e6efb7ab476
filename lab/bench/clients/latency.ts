// Response times of the API for one person who pauses between requests, while the server is idle or busy.
import { setTimeout as sleep } from 'node:timers/promises'
import { listTracks } from '#contract/tracks.ts'
import { listPlaylists } from '#contract/playlists.ts'
import type { BenchWorld } from '../world/bench-world.ts'
import { fetchBody } from '../world/http-client.ts'
import { percentile } from '../../harness/measure.ts'

/** Default pause between a response and the next request. */
const usualPauseMs = 5
/** The requests to send in turn: one is served from the cache, the other from the database. */
const paths = [listTracks.path, listPlaylists.path]

export interface Latency {
  median_ms: number
  p99_ms: number
}

/** Sends one request after another until `isOver` returns true. */
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
