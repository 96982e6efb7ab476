import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/project-paths.mjs'
import { withTables } from './scaling-page.mjs'
import { listeningHabits, computeNeeds } from './scaling-model.mjs'

const one = { web_ms: 1, proxy_ms: 0.1, database_ms: 0.5 }
const capacity = {
  browse: one,
  search: one,
  beat: one,
  play: one,
  stream: { ...one, bytes: 10_000_000, count: 10 },
  play_row_bytes: 300,
}

test('docs/scaling.md contains the tables that its measurements give', () => {
  const page = readFileSync(join(root, 'docs', 'scaling.md'), 'utf8')
  expect(page).toBe(withTables(page))
})

test('computeNeeds follows the formula, and its results grow with the number of listeners', () => {
  const [small, large] = [computeNeeds(1_000, capacity), computeNeeds(100_000, capacity)]
  // 1,000 listeners × 15 h, divided by 730 h per month, times three at the peak.
  expect(small.at_once).toBeCloseTo(61.64, 1)
  const msPerHour =
    listeningHabits.browse_per_hour +
    listeningHabits.searches_per_hour +
    2 * listeningHabits.reports_per_hour
  expect(small.web_cores).toBeCloseTo((small.at_once * msPerHour) / 3_600_000 / 0.5, 6)
  expect(large.database_cores / small.database_cores).toBeCloseTo(100, 6)
  // 15,000 hours, 30 % of them at 115.2 MB and 70 % at 57.6 MB.
  expect(small.sound_gigabytes).toBeCloseTo(1123.2, 1)
})
