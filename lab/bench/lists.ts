// Every list and search over HTTP, compared with the same statements on the same database without the server.
import { benchAdmin, benchMember } from './world/data-set.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { openBareSql } from './peers/bare-sql.ts'
import { fetchBody } from './world/http-client.ts'
import { type ListCase, makeListCases } from './list-cases.ts'
import { compare, round } from '../harness/measure.ts'
import type { Finding } from './report.ts'

export async function benchLists(world: BenchWorld, only?: string): Promise<Finding[]> {
  const bare = openBareSql(world.database.app)
  const findings: Finding[] = []
  try {
    for (const one of await makeListCases(bare.pool, benchMember)) {
      if (only !== undefined && !one.name.includes(only)) continue
      const statements = await bare.record(one.who === 'admin' ? benchAdmin : benchMember, one.run)
      const { ours, peer } = await compare(
        () => fetchBody(world.url + one.path, { cookie: world[one.who], body: one.body }),
        () => bare.run(statements),
        world.budgetMs,
      )
      const mayAdd_ms = isPersonal(one) ? 0 : 20
      const allowed_ms = round(peer.median_ms * 1.5 + mayAdd_ms)
      const finding: Finding = {
        name: one.name,
        ours,
        peer,
        peer_is: 'bare SQL',
        goal: `≤ ${allowed_ms} ms (1.5 ×${mayAdd_ms ? ` + ${mayAdd_ms} ms` : ''})`,
        value: `${round(ours.median_ms / peer.median_ms)} ×`,
        ok: ours.median_ms <= allowed_ms,
      }
      world.print(
        `${finding.ok ? '✓' : '✗'} ${one.name}: ${ours.median_ms} ms, SQL ${peer.median_ms} ms`,
      )
      findings.push(finding)
    }
  } finally {
    await bare.close()
  }
  return findings
}

/** Lists that belong to one person. The server doesn't cache them. */
const isPersonal = ({ name }: ListCase) =>
  ['liked', 'my playlists', 'playlist of 100'].includes(name)
