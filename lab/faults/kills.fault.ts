// Kills the server with SIGKILL fifty times, at random moments under load. After each kill, all acknowledged writes
// must be there.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  auditAll,
  auditWrites,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad } from '../load/load.ts'
import { startOneProcess, type OneProcess } from '../load/one-process.ts'

const kills = Number(process.env['FAULT_KILLS'] ?? 50)
/** The longest time from the start of the load to the kill. */
const longestMs = 3000

let server: OneProcess
let world: FaultWorld
beforeAll(async () => {
  server = await startOneProcess()
  world = await openWorld(server)
})
afterAll(() => world.close())

test(`${kills} kills under load lose no data`, { timeout: 60_000 + kills * 20_000 }, async () => {
  const writers = createWriters(world)
  const load = startLoad(writers)
  for (let number = 1; number <= kills; number++) {
    await sleep(world.chance.below(longestMs))
    await server.kill()
    await server.start()
    await load.pause()
    const problems = await auditWrites(world, writers)
    expect(problems, `after kill ${number} (FAULT_SEED=${world.chance.seed})`).toEqual([])
    load.resume()
  }
  await load.pause()
  expect(await auditAll(world, writers)).toEqual([])
  const told = JSON.stringify(load.acknowledged())
  const statuses = JSON.stringify(world.responses.byStatus())
  process.stdout.write(`  ${kills} kills; acknowledged ${told}; responses ${statuses}\n`)
})
