// Searches for parts of words among all tracks by 32 people at once, with different words. Compared with the same
// statements on as many connections as the server has.
import { listTracks } from '#contract/tracks.ts'
import { readTracks } from '#server/features/tracks/track-operations.ts'
import pg from 'pg'
import * as z from 'zod/mini'
import type { BenchWorld } from './world/bench-world.ts'
import { openBareSql, type Statement } from './peers/bare-sql.ts'
import { benchMember } from './world/data-set.ts'
import { fetchBody } from './world/http-client.ts'
import { percentile, round, summarize } from '../harness/measure.ts'
import type { Finding } from './report.ts'

const concurrentPeople = 32
const rounds = 7
/** The server's default number of database connections. */
const connections = 16

export async function benchSearch(world: BenchWorld): Promise<Finding[]> {
  const bare = openBareSql(world.database.app)
  const pool = new pg.Pool({ ...bare.pool.options, max: connections })
  try {
    const searches = await makeSearches(bare.pool, world.budgetMs < 1000 ? 64 : 320)
    const statements = new Map<string, Statement[]>()
    for (const q of searches) {
      const query = z.parse(listTracks.query!, { q })
      const input = { params: undefined, query, body: undefined }
      statements.set(q, await bare.record(benchMember, (ctx) => readTracks(ctx, input)))
    }
    const sides = {
      ours: (q: string) =>
        fetchBody(`${world.url}${listTracks.path}?${new URLSearchParams({ q })}`, {
          cookie: world.member,
        }),
      peer: (q: string) =>
        Promise.all(
          statements
            .get(q)!
            .map(({ text, values }) => pool.query({ text, values: [...values], rowMode: 'array' })),
        ),
    }
    const took: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] }
    const tails: number[] = []
    for (let i = 0; i <= rounds; i++) {
      for (const side of ['ours', 'peer'] as const) {
        const { elapsedMs, eachMs } = await searchConcurrently(searches, sides[side])
        if (i === 0) continue
        took[side].push(elapsedMs / searches.length)
        if (side === 'ours') tails.push(percentile(eachMs, 0.99) / percentile(eachMs, 0.5))
      }
    }
    const [ours, peer] = [summarize(took.ours), summarize(took.peer)]
    const [ratio, tail] = [round(ours.median_ms / peer.median_ms), percentile(tails, 0.5)]
    world.print(`search: ${ours.median_ms} ms each, SQL ${peer.median_ms} ms, p99 ${tail} × median`)
    const shared = { ours, peer, peer_is: 'bare SQL' }
    return [
      {
        name: '32 at once, per search',
        ...shared,
        goal: '≤ 1.5 ×',
        value: `${ratio} ×`,
        ok: ratio <= 1.5,
      },
      {
        name: 'the slowest of a hundred',
        ...shared,
        goal: 'p99 ≤ 5 × median',
        value: `${tail} ×`,
        ok: tail <= 5,
      },
    ]
  } finally {
    await pool.end()
    await bare.close()
  }
}

/** Returns parts of titles, as people type them: often the end of one word and the beginning of the next. */
async function makeSearches(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ q: string }>(
    `select distinct lower(substr(title, 2 + length(title) % 4, 5 + length(title) % 5)) as q
       from (select title from tracks order by md5(id::text) limit $1) t`,
    [count],
  )
  return rows.map(({ q }) => q).filter((q) => q.trim().length >= 3)
}

async function searchConcurrently(
  searches: readonly string[],
  search: (q: string) => Promise<unknown>,
) {
  const waiting = [...searches]
  const eachMs: number[] = []
  const start = performance.now()
  const person = async () => {
    for (let q = waiting.pop(); q !== undefined; q = waiting.pop()) {
      const begun = performance.now()
      await search(q)
      eachMs.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: concurrentPeople }, person))
  return { elapsedMs: performance.now() - start, eachMs }
}
