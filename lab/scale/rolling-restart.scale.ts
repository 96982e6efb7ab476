// Restarts instances one by one while people write all the time. No write may fail, because the proxy can't retry it at
// another instance: the first one may have executed it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { makeCrowd, type CrowdMember } from '../cluster/cluster-people.ts'

const writerCount = 24
const rounds = 2

let cluster: Cluster
let crowd: CrowdMember[]

beforeAll(async () => {
  cluster = await startCluster({ workers: 0, standby: false, store: 'stand-in' })
  crowd = await makeCrowd(cluster, writerCount)
}, 120_000)

afterAll(() => cluster?.stop(), 60_000)

test('every write is executed once while instances restart one by one', async () => {
  let stopped = false
  const responses: Record<string, number> = {}
  const writing = crowd.map(async ({ cookie }) => {
    while (!stopped) {
      const answer = await createPlaylist(cookie)
      responses[answer] = (responses[answer] ?? 0) + 1
    }
  })
  try {
    for (let round = 0; round < rounds; round++) {
      for (const one of cluster.instances) {
        await one.stop()
        await one.start()
      }
    }
  } finally {
    stopped = true
  }
  await Promise.all(writing)
  console.log(`${rounds * cluster.instances.length} stops; responses ${JSON.stringify(responses)}`)
  expect(Object.keys(responses)).toEqual(['200'])

  const { database } = cluster
  const [made] = await queryAt<{ count: number }>(
    database.superuser(database.primary),
    'select count(*)::int from playlists',
  )
  expect(made?.count).toBe(responses['200'])
}, 120_000)

async function createPlaylist(cookie: string): Promise<string> {
  const response = await fetch(`${cluster.address}/api/playlists`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: cluster.address },
    body: JSON.stringify({ title: 'Late at night' }),
  })
  const body = await response.text()
  return response.status === 200 ? '200' : `${response.status} ${body}`
}
