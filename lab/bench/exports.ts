// Complete CSV exports, compared with psql's COPY of the same query. Also measures how much memory the server needs
// more.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { exportAuditLog } from '#contract/admin/admin-audit.ts'
import { exportUsers } from '#contract/admin/admin-users.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { openBareSql } from './peers/bare-sql.ts'
import { round, summarize, measureMs } from '../harness/measure.ts'
import { watchMemory } from '../harness/process-usage.ts'
import type { Finding } from './report.ts'

const minRounds = 3
const maxRounds = 7
/** Small exports are repeated for this long. Large ones run three times, even if that takes longer. */
const budgetMs = 20_000
const maxTries = 200

export async function benchExports(world: BenchWorld): Promise<Finding[]> {
  const findings: Finding[] = []
  const [copyBy, peer_is] = hasPsql() ? [psql, "psql's COPY"] : [copyAll, 'COPY without psql']
  for (const [name, path] of [
    ['people', exportUsers.path],
    // A part of the audit log: a million entries in the large data set.
    ['audit log', `${exportAuditLog.path}?start_date=2026-03-27`],
  ] as const) {
    const url = world.url + path
    const copy = await recordCopyStatement(world, () => download(url, world.admin))
    const [oursMs, peerMs]: [number[], number[]] = [[], []]
    let grownMegabytes = 0
    const end = performance.now() + budgetMs
    while (oursMs.length < minRounds || (performance.now() < end && oursMs.length < maxRounds)) {
      const watch = watchMemory(world.serverPid)
      oursMs.push(await measureMs(() => download(url, world.admin)))
      grownMegabytes = Math.max(grownMegabytes, watch.stop())
      peerMs.push(await measureMs(() => copyBy(world.database.app, copy)))
    }
    const [ours, peer] = [summarize(oursMs), summarize(peerMs)]
    const ratio = round(peer.median_ms / ours.median_ms)
    world.print(
      `${name}: ${ours.median_ms} ms, psql ${peer.median_ms} ms, memory + ${grownMegabytes} MB`,
    )
    const shared = { ours, peer, peer_is }
    findings.push(
      {
        name,
        ...shared,
        goal: '≥ 0.5 × its speed',
        value: `${ratio} × its speed`,
        ok: ratio >= 0.5,
      },
      {
        name: `${name}: memory of the server`,
        goal: '≤ 50 MB more',
        value: `+ ${grownMegabytes} MB`,
        ok: grownMegabytes <= 50,
      },
    )
  }
  return findings
}

function download(url: string, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} returned ${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}

/** Returns the COPY statement of the server, which it reads from pg_stat_activity during an export. */
async function recordCopyStatement(
  world: BenchWorld,
  run: () => Promise<unknown>,
): Promise<string> {
  const bare = openBareSql(world.database.app)
  try {
    // Try several times, because a small export may end before its statement is seen.
    for (let i = 0; i < maxTries; i++) {
      let isOver = false
      const running = run().finally(() => (isOver = true))
      while (!isOver) {
        const { rows } = await bare.pool.query<{ query: string }>(
          `select query from pg_stat_activity where query like 'copy (%' and pid <> pg_backend_pid()`,
        )
        if (!rows[0]) continue
        await running
        return rows[0].query
      }
    }
    throw new Error('The export was over before its statement was seen')
  } finally {
    await bare.close()
  }
}

/** Stands in for psql where that isn't installed: runs COPY and discards the output. */
async function copyAll(connectionString: string, copy: string): Promise<void> {
  const client = new pg.Client(connectionString)
  await client.connect()
  try {
    for await (const _ of client.query(to(copy))) continue
  } finally {
    await client.end()
  }
}

async function psql(connectionString: string, copy: string): Promise<void> {
  const child = spawn('psql', ['--no-psqlrc', '--quiet', '--command', copy, connectionString], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  if (exitCode !== 0) throw new Error('psql failed')
}

const hasPsql = () => spawnSync('psql', ['--version']).status === 0
