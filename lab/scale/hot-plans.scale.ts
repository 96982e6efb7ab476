// Query plans of every list and every frequent operation with 100,000 generated tracks and people: no statement may
// scan a whole large table. With PLANS_DATA_SET=large there are a million people and five million audit entries.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BenchWorld, openBenchWorld } from '../bench/world/bench-world.ts'
import { type DataSetName, dataSetSizes } from '../bench/world/data-set.ts'
import { benchPlans } from '../bench/plans.ts'

const generatingMs = 1_800_000
const wanted = process.env['PLANS_DATA_SET'] ?? 'usual'
let folder: string
let world: BenchWorld

beforeAll(async () => {
  if (!Object.hasOwn(dataSetSizes, wanted)) throw new Error(`There is no data set ${wanted}`)
  folder = await mkdtemp(join(tmpdir(), 'velour-plans-'))
  world = await openBenchWorld({
    folder,
    dataSet: wanted as DataSetName,
    budgetMs: 0,
    print: (line) => console.log(line),
  })
}, generatingMs)
afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

test('frequent statements use an index', async () => {
  const findings = await benchPlans(world)
  expect(findings.length).toBeGreaterThan(40)
  expect(findings.filter(({ ok }) => !ok).map(({ name, value }) => `${name}: ${value}`)).toEqual([])
})
