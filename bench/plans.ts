// How the database finds what each list shows: never by reading a large table from end to end. A search for two
// letters is the exception, because an index of three letters has nothing to hold on to.
import { benchAdmin, benchMember } from './data-set.ts'
import type { BenchWorld } from './bench-world.ts'
import { type BareSql, openBareSql, type Statement } from './bare-sql.ts'
import { makeListCases } from './list-cases.ts'
import { summarise } from './measure.ts'
import type { Finding } from './report.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

const largeTables = new Set(
  'tracks profiles user_roles audit_log playlists playlist_tracks likes plays renditions'.split(
    ' ',
  ),
)

export async function benchPlans(world: BenchWorld): Promise<Finding[]> {
  const bare = openBareSql(world.database.app)
  const findings: Finding[] = []
  try {
    for (const one of await makeListCases(bare.pool, benchMember)) {
      if (one.name.includes('two letters')) continue
      const statements = await bare.record(one.who === 'admin' ? benchAdmin : benchMember, one.run)
      const start = performance.now()
      const scans = (await Promise.all(statements.map((each) => findScans(bare, each)))).flat()
      const times = summarise([performance.now() - start])
      const found = [...new Set(scans)].join(', ')
      if (found) world.say(`✗ ${one.name} reads all of ${found}`)
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

async function findScans(bare: BareSql, { text, values }: Statement): Promise<string[]> {
  const { rows } = await bare.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (format json) ${text}`,
    [...values],
  )
  return scansIn(rows[0]!['QUERY PLAN'][0].Plan)
}

function scansIn(node: PlanNode): string[] {
  const own =
    node['Node Type'] === 'Seq Scan' && largeTables.has(node['Relation Name'] ?? '')
      ? [node['Relation Name']!]
      : []
  return [...own, ...(node.Plans ?? []).flatMap(scansIn)]
}
