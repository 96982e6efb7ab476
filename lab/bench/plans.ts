// Query plans of every list and of every frequent operation: none may scan a whole large table. The exception is a
// search for two letters, for which a trigram index is of no use.
import { benchAdmin, benchMember } from './world/data-set.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { type BareSql, openBareSql, type Statement } from './peers/bare-sql.ts'
import { makeHotCases } from './hot-cases.ts'
import { makeListCases } from './list-cases.ts'
import { summarize } from '../harness/measure.ts'
import type { Finding } from './report.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

const tables = (names: string) => new Set(names.split(' '))
const largeTables = tables(
  'tracks profiles user_roles audit_log playlists playlist_tracks likes plays renditions subscriptions payments',
)
/** Tables that grow in use, but have few rows in the data set. */
const growingTables = tables('sessions accounts players track_days track_months')

export async function benchPlans(world: BenchWorld): Promise<Finding[]> {
  const bare = openBareSql(world.database.app)
  const findings: Finding[] = []
  try {
    for (const one of await makeCases(bare)) {
      if (one.name.includes('two letters')) continue
      const statements = await bare.record(one.who === 'admin' ? benchAdmin : benchMember, one.run)
      const start = performance.now()
      const scans = (await Promise.all(statements.map((each) => findScans(bare, each)))).flat()
      const times = summarize([performance.now() - start])
      const found = [...new Set(scans)].join(', ')
      if (found) world.print(`✗ ${one.name} reads all of ${found}`)
      findings.push({
        name: one.name,
        ours: times,
        peer: times,
        peer_is: 'planning',
        goal: 'by index',
        value: found ? `reads all of ${found}` : 'by index',
        ok: !found,
      })
    }
  } finally {
    await bare.close()
  }
  return findings
}

async function makeCases(bare: BareSql) {
  const { rows } = await bare.pool.query<{ track: string; playlist: string }>(
    `select p.id as playlist,
            (select t.id from tracks t
              where t.is_published and not exists (
                select from playlist_tracks e where e.playlist_id = p.id and e.track_id = t.id)
              limit 1) as track
       from playlists p join profiles o on o.id = p.created_by where o.email = $1 limit 1`,
    [benchMember],
  )
  return [...(await makeListCases(bare.pool, benchMember)), ...makeHotCases(rows[0]!)]
}

async function findScans(bare: BareSql, { text, values }: Statement): Promise<string[]> {
  // Transaction statements have no plan.
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return []
  const plain = await explain(bare, text, values, [])
  // A small table is scanned because that is faster. With enable_seqscan off, it is scanned only if there is no index.
  const forced = await explain(bare, text, values, ['set local enable_seqscan = off'])
  return [
    ...findScansIn(plain).filter((table) => largeTables.has(table)),
    ...findScansIn(forced).filter((table) => growingTables.has(table)),
  ]
}

async function explain(
  bare: BareSql,
  text: string,
  values: readonly unknown[],
  settings: readonly string[],
): Promise<PlanNode> {
  const client = await bare.pool.connect()
  try {
    await client.query(['begin', ...settings].join('; '))
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) ${text}`,
      [...values],
    )
    return rows[0]!['QUERY PLAN'][0].Plan
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function findScansIn(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(findScansIn)]
}
