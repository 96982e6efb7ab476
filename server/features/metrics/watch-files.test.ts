// Checks the alert rules and the dashboard in deploy/: their structure, and that /metrics returns every metric they
// use.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { alertConditions } from '../system/alert-conditions.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const token = 'a-token-of-the-collector'
let server: TestApp
/** The labels of each metric in one scrape, by metric name. */
const series = new Map<string, Set<string>>()
let scraped = ''

beforeAll(async () => {
  server = await createTestApp({ metricsToken: token })
  await server.nobody.send('GET', '/api/site')
  const headers = { authorization: `Bearer ${token}` }
  scraped = await (await fetch(`${server.url}/metrics`, { headers })).text()
  for (const [, name = '', labels = ''] of scraped.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const known = series.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    series.set(name, known)
  }
})
afterAll(() => server.close())

const read = (file: string) => readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
const words = z.string().check(z.minLength(1))

const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: words,
      rules: z.array(
        z.strictObject({
          alert: z.string().check(z.regex(/^Velour[A-Z]\w+$/)),
          expr: words,
          for: z.optional(z.string().check(z.regex(/^\d+[smhd]$/))),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({ summary: words, description: words }),
        }),
      ),
    }),
  ),
})

const dashboardFile = z.looseObject({
  title: words,
  uid: words,
  schemaVersion: z.number(),
  templating: z.object({
    list: z.array(z.looseObject({ name: z.literal('datasource'), type: z.literal('datasource') })),
  }),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      type: z.enum(['timeseries', 'stat']),
      title: words,
      datasource: z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.looseObject({ refId: words, expr: words })),
    }),
  ),
})

/** Metrics and labels that Prometheus itself adds to every target. */
const metricsOfPrometheus = new Set(['up'])
const labelsOfPrometheus = new Set(['job', 'instance', 'le', 'exported_job'])

function findUnknown(expr: string): string[] {
  const bare = expr.replaceAll(/"[^"]*"/g, '""')
  const names = bare.match(/\b(?:velour|process|nodejs)_\w+/g) ?? []
  const grouped = [...bare.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  const matched = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label = '']) => label)
  const known = new Set([
    ...labelsOfPrometheus,
    ...names.flatMap((name) => [...(series.get(name) ?? [])]),
  ])
  return [
    ...names.filter((name) => !series.has(name)),
    ...[...grouped, ...matched].filter((label) => !known.has(label)),
    ...(names.length === 0 && ![...metricsOfPrometheus].some((name) => bare.includes(`${name}{`))
      ? [`no figure in ${expr}`]
      : []),
  ]
}

const isBalanced = (expr: string) =>
  ['()', '[]', '{}'].every(
    ([open, close]) => expr.split(open!).length === expr.split(close!).length,
  )

test('the alert rules describe every alert, and use only existing metrics and labels', async () => {
  const { groups } = z.parse(ruleFile, parse(await read('prometheus/velour.rules.yml')))
  const rules = groups.flatMap((group) => group.rules)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, expr } of rules) {
    expect(findUnknown(expr), alert).toEqual([])
    expect(isBalanced(expr), alert).toBe(true)
  }
})

test('the dashboard has no overlapping panels, and uses only existing metrics and labels', async () => {
  const { panels } = z.parse(dashboardFile, JSON.parse(await read('grafana/velour.json')))
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, targets } of panels) {
    expect(targets.length, title).toBeGreaterThan(0)
    for (const { expr } of targets) {
      expect(findUnknown(expr), title).toEqual([])
      expect(isBalanced(expr), title).toBe(true)
    }
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

const safetyMetrics = [
  'velour_storage_reachable',
  'velour_backup_age_seconds',
  'velour_backup_last_result',
  'velour_backup_overdue',
  'velour_backup_running_seconds',
  'velour_last_backup_missing_files',
  'velour_damaged_files',
  'velour_last_file_check_timestamp_seconds',
  'velour_alerts',
  'velour_folder_free_bytes',
  'velour_jobs',
  'velour_events_connected',
]
/** Metrics without a panel of their own, because another panel shows their number or minimum. */
const withoutPanel = new Set([
  'velour_last_backup_missing_files',
  'velour_last_file_check_timestamp_seconds',
  'velour_events_connected',
])

test.each(safetyMetrics)(
  '%s is returned by /metrics, has an alert rule, and has a panel if it needs one',
  async (name) => {
    const isUsedIn = (text: string) => new RegExp(`\\b${name}\\b`).test(text)
    expect([...series.keys()]).toContain(name)
    expect(isUsedIn(await read('prometheus/velour.rules.yml'))).toBe(true)
    expect(isUsedIn(await read('grafana/velour.json'))).toBe(!withoutPanel.has(name))
  },
)

test('the alert metric has a time series for every condition', () => {
  const names = alertConditions.map(({ name }) => `velour_alerts{condition="${name}"} 0`)
  for (const name of names) expect(scraped).toContain(name)
})

test('this test detects metrics and labels that do not exist', () => {
  expect(findUnknown('velour_nothing > 0')).toEqual(['velour_nothing'])
  expect(findUnknown('sum by (color) (velour_jobs{shade="x"})')).toEqual(['color', 'shade'])
  expect(findUnknown('vector(1)')).toHaveLength(1)
})
